/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.results.Measure;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The tables of the methods with the most of a kind, and of the classes of that kind. */
final class MethodTable {
  private static final int MOST_CLASSES = 10;

  private final Measure measure;
  private final MethodTimes times;

  MethodTable(Measure measure, MethodTimes times) {
    this.measure = measure;
    this.times = times;
  }

  static ToLongFunction<MethodTimes.Times> sort(String sort) throws Answers.QuestionException {
    return switch (sort) {
      case "", "own" -> one -> one.own;
      case "self" -> one -> one.self;
      case "total" -> one -> one.total;
      default ->
          throw new Answers.QuestionException(
              "no order is named " + Answer.name(sort) + "; sort by own, self or total");
    };
  }

  /** Writes as many methods as there is room for before the end. */
  void write(Answer answer, ToLongFunction<MethodTimes.Times> sort, Answer end) {
    String unit = Answer.unit(measure);
    answer
        .line(
            "| method | called from | own %s | own %% | self %s | self %% | total %s | total %% |",
            unit, unit, unit)
        .line("| --- | --- | --: | --: | --: | --: | --: | --: |");
    List<MethodTimes.Times> sorted = new ArrayList<>();
    List<MethodTimes.Times> shared = new ArrayList<>();
    for (MethodTimes.Times one : times.sorted(sort)) {
      if (one.total > 0 || one.self > 0) {
        (times.isShared(one) ? shared : sorted).add(one);
      }
    }
    if (shared.size() == 1) {
      sorted.addAll(shared);
    }
    MethodNames names = new MethodNames(sorted.stream().map(one -> one.frame).toList());
    List<String> rows = new ArrayList<>();
    for (MethodTimes.Times one : sorted) {
      rows.add(
          row(names.printed(one.frame), one.calledFrom(rows.size()), one.own, one.self, one.total));
    }
    Answer after = new Answer();
    if (shared.size() > 1) {
      String title = "(" + shared.size() + " methods that all samples share)";
      after.line("%s", row(title, "", 0, 0, times.whole()));
    }
    after.line("%s", row("all", "", times.own(), times.whole(), times.whole()));
    classes(after);
    after.add(end);
    int shown = answer.rows(rows, after);
    if (shown < rows.size()) {
      List<MethodTimes.Times> others = sorted.subList(shown, rows.size());
      long self = others.stream().mapToLong(one -> one.self).sum();
      answer.line("%s", row("(" + others.size() + " other methods)", "", own(others), self, -1));
    }
    answer.add(after);
  }

  private static long own(List<MethodTimes.Times> of) {
    return of.stream().mapToLong(one -> one.own).sum();
  }

  private String row(String title, String calledFrom, long own, long self, long total) {
    long whole = times.whole();
    return Answer.row(
        title,
        calledFrom,
        Answer.millions(own),
        Answer.percent(own, whole),
        Answer.millions(self),
        Answer.percent(self, whole),
        total < 0 ? "" : Answer.millions(total),
        total < 0 ? "" : Answer.percent(total, whole));
  }

  /** The classes of what was allocated or locked, which are few beside the methods. */
  private void classes(Answer answer) {
    List<MethodTimes.Times> classes = times.classes();
    if (classes.isEmpty()) {
      return;
    }
    answer.line("").line("| class | %s | %% |", Answer.unit(measure)).line("| --- | --: | --: |");
    List<String> rows = new ArrayList<>();
    for (MethodTimes.Times one : classes.subList(0, Math.min(classes.size(), MOST_CLASSES))) {
      rows.add(classRow(Answer.name(one.frame.name()), one.self));
    }
    int shown = answer.rows(rows, new Answer(), Answer.LIMIT / 4);
    List<MethodTimes.Times> others = classes.subList(shown, classes.size());
    if (!others.isEmpty()) {
      long rest = others.stream().mapToLong(one -> one.self).sum();
      answer.line("%s", classRow("(" + others.size() + " other classes)", rest));
    }
  }

  private String classRow(String title, long amount) {
    return Answer.row(title, Answer.millions(amount), Answer.percent(amount, times.whole()));
  }
}
