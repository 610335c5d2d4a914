/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;

/** The tables of what checks read and conclude, in words. The files describe their form. */
final class Words {
  private static final Map<String, List<String[]>> CHECKS = read("checks.txt");
  private static final Map<String, List<String[]>> RULES = read("rules.txt");

  /** Returns the cells of each check and, behind them, those of its rows, by its id. */
  private static Map<String, List<String[]>> read(String resource) {
    Map<String, List<String[]>> checks = new LinkedHashMap<>();
    try (Scanner file = new Scanner(Words.class.getResourceAsStream(resource), "UTF-8")) {
      String section = "";
      List<String[]> check = new ArrayList<>();
      String text = file.useDelimiter("\\A").next().replaceAll("\n {4,}", " ");
      for (String line : text.split("\n", 0)) {
        if (line.startsWith(" ")) {
          check.add(line.trim().split(" \\| ", -1));
        } else if (line.startsWith("= ")) {
          section = line.substring(2);
        } else if (!line.isEmpty() && !line.startsWith("#")) {
          check = new ArrayList<>();
          check.add((section + " | " + line + " | %s").split(" \\| ", -1));
          checks.put(check.get(0)[1], check);
        }
      }
    }
    return checks;
  }

  /** Returns the check with this id. The caller adds which of its rows apply. */
  static <T> Check<T> check(String id, Check.Source<T> source) {
    return new Check<>(requireNonNull(CHECKS.get(id), id), source);
  }

  /** Returns all rules, also those that are about the evidence of a check of the report. */
  static List<Check<?>> rules(List<Check<?>> others) {
    List<Check<?>> rules = new ArrayList<>();
    RULES.forEach(
        (id, words) -> {
          others.stream().filter(rule -> rule.id.equals(id)).forEach(rules::add);
          Checks.ALL.stream()
              .filter(check -> check.id.equals(words.get(0)[2]))
              .forEach(check -> rules.add(new Check<>(words, check)));
        });
    return rules;
  }

  /** Returns the rule of the protocol with this id, which has evidence of its own. */
  static <T> Check<T> rule(String id, Check.Source<T> source) {
    return new Check<>(requireNonNull(RULES.get(id), id), source);
  }

  private Words() {}
}
