/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;

/** A table of what checks read and conclude, in words. The file describes its form. Immutable. */
final class Words {
  private static final Words CHECKS = new Words("checks.txt");
  private static final Words RULES = new Words("rules.txt");

  private final Map<String, List<String[]>> lines = new HashMap<>();

  private Words(String resource) {
    List<String[]> check = new ArrayList<>();
    for (String line : read(resource).replaceAll("\n {4,}", " ").split("\n", 0)) {
      String[] cells = line.trim().split(" \\| ", -1);
      if (line.startsWith(" ")) {
        check.add(cells);
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        check = new ArrayList<>();
        check.add(cells);
        lines.put(cells[0], check);
      }
    }
  }

  private static String read(String resource) {
    try (Scanner file = new Scanner(Words.class.getResourceAsStream(resource), "UTF-8")) {
      return file.useDelimiter("\\A").next();
    }
  }

  /** Returns the check with this id. The caller adds when its rows apply. */
  static <T> Check<T> check(String id, Check.Source<T> source) {
    return CHECKS.with(id, source);
  }

  /** Returns the check of the rule of the protocol with this id. */
  static <T> Check<T> rule(String id, Check.Source<T> source) {
    return RULES.with(id, source);
  }

  private <T> Check<T> with(String id, Check.Source<T> source) {
    List<String[]> check = lines.getOrDefault(id, Collections.emptyList());
    String[] title = check.get(0);
    List<Check.Row<T>> rows = new ArrayList<>();
    for (String[] cells : check.subList(1, check.size())) {
      String remedy = cells.length > 3 ? cells[3] : "";
      if (cells.length == 2) {
        rows.add(new Check.Row<>(cells[0], Verdict.FAULT, "%s", "The rule: " + cells[1] + "."));
        rows.add(new Check.Row<>(Check.ELSE, Verdict.OK, "%s", ""));
      } else {
        rows.add(new Check.Row<>(cells[0], Verdict.of(cells[1]), cells[2], remedy));
      }
    }
    return new Check<>(id, title[1], title.length > 2 ? title[2] : "%s", source, rows);
  }
}
