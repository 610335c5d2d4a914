/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A row of the matrix: an application, how it starts, and the expected result. */
record Row(
    String name,
    String when,
    Expected expected,
    JavaVersions versions,
    List<String> paths,
    String sees,
    List<List<String>> commands) {

  /** The expected behaviour of the plug-in in the application. */
  enum Expected {
    /** Threads show the spans they serve, and every message of the profiler becomes an id. */
    WORKS,
    /** The same after a restart in the same process, so the plug-in starts twice. */
    RESTARTED,
    /** Some threads show no trace while they serve one, and one warning gives the reason. */
    NONE,
    /** The plug-in does not start, and one warning gives the reason. */
    OFF,
    /** Not tested, for the reason that the row gives. */
    NOT_RUN;

    /** Returns whether threads show the spans they serve. */
    boolean works() {
      return this == WORKS || this == RESTARTED;
    }
  }

  private static final int COLUMNS = 8;
  private static final String NOTHING = "-";
  private static final String THEN = "&&";

  /** Reads the matrix, without comments and empty lines. */
  static List<Row> read(Path matrix) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(matrix)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        rows.add(parse(line));
      }
    }
    return rows;
  }

  private static Row parse(String line) throws IOException {
    String[] columns = line.split("\t+");
    if (columns.length != COLUMNS) {
      throw new IOException(
          "The matrix needs "
              + COLUMNS
              + " columns separated by tabs, not "
              + columns.length
              + ": "
              + line);
    }
    try {
      return new Row(
          columns[0],
          columns[1],
          Expected.valueOf(columns[2].toUpperCase().replace('-', '_')),
          JavaVersions.parse(columns[3]),
          List.of(columns[5].split(",")),
          columns[6].equals(NOTHING) ? "" : columns[6],
          commands(columns[7]));
    } catch (IllegalArgumentException e) {
      throw new IOException("The matrix has a bad line: " + line + " (" + e.getMessage() + ")", e);
    }
  }

  private static List<List<String>> commands(String column) {
    List<List<String>> commands = new ArrayList<>();
    List<String> command = new ArrayList<>();
    for (String word : column.trim().split(" +")) {
      if (word.equals(THEN)) {
        commands.add(command);
        command = new ArrayList<>();
      } else {
        command.add(word);
      }
    }
    commands.add(command);
    return commands;
  }

  /** Returns the rows that a comma-separated list of row names and values of "when" selects. */
  static List<Row> select(List<Row> all, String selection) throws IOException {
    Set<String> wanted = Set.copyOf(Arrays.asList(selection.split(",")));
    List<Row> rows = new ArrayList<>();
    for (Row row : all) {
      if (wanted.contains("all") || wanted.contains(row.when) || wanted.contains(row.name)) {
        rows.add(row);
      }
    }
    for (String name : wanted) {
      if (!name.equals("all")
          && all.stream().noneMatch(row -> name.equals(row.name) || name.equals(row.when))) {
        throw new IOException("The matrix contains no row or value of when " + name);
      }
    }
    return rows;
  }

  /** Returns the commands that prepare the application's start. */
  List<List<String>> before() {
    return commands.subList(0, commands.size() - 1);
  }

  /** Returns the command of the application. */
  List<String> command() {
    return commands.get(commands.size() - 1);
  }
}
