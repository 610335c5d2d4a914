/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.answers;

import io.otelprofiling.page.results.Measure;
import java.util.ArrayList;
import java.util.List;

/** The answer about methods: those with the most of a kind, and the classes of that kind. */
final class MethodTable {
  private static final int MOST_CLASSES = 10;

  /** Returns the answer about what was summed up of this part of the results. */
  static String of(Measure measure, String of, MethodTimes times, long whole) {
    Answer answer =
        new Answer()
            .line(
                "Methods by %s in themselves, of %s. Total includes what they call.",
                Kinds.title(measure), of)
            .line("");
    classes(answer, measure, times.classes(), whole);
    String unit = Answer.unit(measure);
    answer
        .line("| method | self %s | self %% | total %s | total %% |", unit, unit)
        .line("| --- | --: | --: | --: | --: |");
    List<String> rows = new ArrayList<>();
    List<MethodTimes.Times> sorted =
        times.sorted().stream().filter(one -> one.total > 0 || one.self > 0).toList();
    for (MethodTimes.Times one : sorted) {
      rows.add(
          Answer.row(
              Answer.name(one.frame.name()),
              Answer.millions(one.self),
              Answer.percent(one.self, whole),
              Answer.millions(one.total),
              Answer.percent(one.total, whole)));
    }
    int shown = answer.rows(rows);
    long rest = sorted.subList(shown, rows.size()).stream().mapToLong(one -> one.self).sum();
    if (shown < rows.size()) {
      answer.line(
          "%s",
          Answer.row(
              "(" + (rows.size() - shown) + " other methods)",
              Answer.millions(rest),
              Answer.percent(rest, whole),
              "",
              ""));
    }
    return answer
        .line("%s", Answer.row("all", Answer.millions(whole), whole == 0 ? "0.0" : "100.0", "", ""))
        .toString();
  }

  /** The classes of what was allocated or locked, which are few beside the methods. */
  private static void classes(
      Answer answer, Measure measure, List<MethodTimes.Times> classes, long whole) {
    if (classes.isEmpty()) {
      return;
    }
    answer.line("| class | %s | %% |", Answer.unit(measure)).line("| --- | --: | --: |");
    List<String> rows = new ArrayList<>();
    for (MethodTimes.Times one : classes) {
      rows.add(
          Answer.row(
              Answer.name(one.frame.name()),
              Answer.millions(one.self),
              Answer.percent(one.self, whole)));
    }
    int shown = answer.rows(rows.subList(0, Math.min(rows.size(), MOST_CLASSES)));
    List<MethodTimes.Times> others = classes.subList(shown, rows.size());
    if (!others.isEmpty()) {
      long rest = others.stream().mapToLong(one -> one.self).sum();
      answer.line(
          "%s",
          Answer.row(
              "(" + others.size() + " other classes)",
              Answer.millions(rest),
              Answer.percent(rest, whole)));
    }
    answer.line("");
  }

  private MethodTable() {}
}
