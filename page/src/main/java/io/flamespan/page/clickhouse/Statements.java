/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import static java.util.regex.Pattern.MULTILINE;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The statements in the folder clickhouse, of which some have parts in other files. */
public final class Statements {
  /** Those that are useful without the page. */
  public static final List<String> NAMES =
      List.of(
          "endpoints",
          "deployments",
          "parts-of-endpoints",
          "requests-of-endpoint",
          "flame-graph-of-endpoint",
          "flame-graph-of-trace",
          "nested-set-of-endpoint",
          "nested-set-of-trace",
          "spans-of-trace");

  private static final Pattern PUT =
      Pattern.compile("^-- The program puts (\\S+) here\\.\n", MULTILINE);
  private static final Pattern HEADER = Pattern.compile("\\A(?:--.*\n)+");

  private Statements() {}

  /**
   * Returns a statement, for ClickHouse itself with a comment that says what its parameters are.
   */
  public static String named(String name, StatementForm form) {
    String statement = read(name + ".sql");
    return form.of(name, form == StatementForm.PARAMETERS ? statement : withoutHeader(statement));
  }

  /** Returns the statements that create the sums by hour, with a comment that says how. */
  public static String ofSums() {
    String statements = read("sums.sql");
    for (NewColumn column : NewColumn.values()) {
      statements = column.ifPresentInto(statements);
    }
    return StatementForm.OF_AN_HOUR.of("sums", statements);
  }

  /** Returns the statements that remove the sums, whatever of them is there. */
  public static String thatDropSums() {
    return read("drop-sums.sql");
  }

  /** Returns the statement of a file, with its parts. */
  static String read(String file) {
    return read(file, "");
  }

  /** Returns the statement of a file, with those parts that read the sums by hour. */
  static String readOfSums(String file) {
    return read(file, "sums/");
  }

  private static String read(String file, String folder) {
    String name = exists(folder + file) ? folder + file : file;
    return PUT.matcher(text(name))
        .replaceAll(put -> Matcher.quoteReplacement(withoutHeader(read(put.group(1), folder))));
  }

  private static boolean exists(String file) {
    return Engine.class.getClassLoader().getResource("clickhouse/" + file) != null;
  }

  private static String withoutHeader(String part) {
    return HEADER.matcher(part).replaceFirst("");
  }

  private static String text(String file) {
    try (InputStream in = Engine.class.getClassLoader().getResourceAsStream("clickhouse/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
