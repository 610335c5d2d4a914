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
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The statements in the folder clickhouse, of which some have parts in other files. */
public final class Statements {
  private static final String SUMS = "sums";

  /** Those that are useful without the page. */
  public static final List<String> NAMES =
      List.of("endpoints", "deployments", "flame-graph-of-endpoint", "flame-graph-of-trace", SUMS);

  private static final Pattern PUT =
      Pattern.compile("^-- The program puts (\\S+) here\\.\n", MULTILINE);
  private static final Pattern HEADER = Pattern.compile("\\A(?:--.*\n)+");

  /** In place of the parameters of {@link #SUMS}, as a view has none. */
  private static final Map<String, String> OF_AN_HOUR =
      Map.of(
          "{from:DateTime64(9, 'UTC')}",
          "(toDateTime64(hour, 9, 'UTC') - INTERVAL 1 HOUR)",
          "{to:DateTime64(9, 'UTC')}",
          "(toDateTime64(hour, 9, 'UTC') + INTERVAL 70 MINUTE)",
          "            AND (empty({traces:Array(String)}) OR TraceId IN {traces:Array(String)})\n",
          "",
          "                    AND (empty({traces:Array(String)}) OR TraceId IN"
              + " {traces:Array(String)})\n",
          "");

  private Statements() {}

  /** Returns statements with a comment at their top that says what their parameters are. */
  public static String named(String name) {
    String statement = read(name + ".sql");
    if (name.equals(SUMS)) {
      for (Map.Entry<String, String> parameter : OF_AN_HOUR.entrySet()) {
        statement = statement.replace(parameter.getKey(), parameter.getValue());
      }
    }
    return statement;
  }

  /** Returns the statement of a file, with its parts. */
  static String read(String file) {
    return read(file, "");
  }

  /** Returns the statement of a file, with those parts that read the sums by hour. */
  static String readOfSums(String file) {
    return read(file, SUMS + "/");
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
