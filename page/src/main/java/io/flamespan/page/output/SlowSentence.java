/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import io.flamespan.page.comparison.Chance;
import io.flamespan.page.comparison.GroupComparison;
import io.flamespan.page.comparison.Groups;
import io.flamespan.page.results.Column;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.Sentence;
import io.flamespan.page.results.Tally;
import io.flamespan.page.timeline.Durations;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Says what the slow requests of an endpoint do more of than the typical ones. */
final class SlowSentence {
  private static final int MOST_CAUSES = 3;

  private final GroupComparison comparison;
  private final UnaryOperator<String> escape;

  /** The names that are not plain ones of methods are written by this. */
  SlowSentence(RequestStacks stacks, Groups groups, Tally tally, UnaryOperator<String> escape) {
    Measure waits = tally.count(Measure.WAIT) > 0 ? Measure.WAIT : Measure.LOCK;
    this.comparison =
        new GroupComparison(
            stacks,
            groups,
            tally.count(waits) > 0 ? List.of(Measure.CPU, waits) : List.of(Measure.CPU),
            Set.of(Column.OWN),
            OwnCode.withoutLibraries());
    this.escape = escape;
  }

  private List<GroupComparison.Row> causes(Groups.Pair pair) {
    return comparison.rows(pair).stream().filter(GroupComparison.Row::isCertain).toList();
  }

  boolean hasCause(Groups.Pair pair) {
    return !causes(pair).isEmpty();
  }

  String of(Groups.Pair pair) {
    List<GroupComparison.Row> causes = causes(pair);
    Chance.Verdict rest = comparison.rest(pair, causes);
    String begin =
        String.format(
            Locale.ROOT,
            "The %,d requests %s, against the %,d %s: ",
            pair.b().places().length,
            pair.b().name(),
            pair.a().places().length,
            pair.a().name());
    if (causes.isEmpty()) {
      return begin
          + "no method differs by more than chance and in proportion; all together "
          + amount(rest)
          + " per request";
    }
    return begin
        + causes.stream().limit(MOST_CAUSES).map(this::cause).collect(Collectors.joining("; "))
        + (causes.size() > MOST_CAUSES ? "; and other methods" : "")
        + "; the rest "
        + amount(rest)
        + (rest.chance() ? ", which may be chance" : "");
  }

  private String cause(GroupComparison.Row row) {
    return amount(row.verdict())
        + (row.measure() == Measure.CPU ? " on CPU in " : " waiting in ")
        + (row.frame().equals(GroupComparison.NO_OWN)
            ? "no own method"
            : Sentence.method(row.frame().name(), escape));
  }

  private static String amount(Chance.Verdict verdict) {
    return (verdict.difference() < 0 ? "−" : "+")
        + Durations.text(Math.abs(verdict.difference()))
        + (Double.isNaN(verdict.plusMinus()) ? "" : " ± " + Durations.text(verdict.plusMinus()));
  }
}
