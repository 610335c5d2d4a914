/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.comparison.Chance;
import io.flamespan.page.comparison.GroupComparison;
import io.flamespan.page.comparison.Groups;
import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.Tally;
import io.flamespan.page.timeline.Measured;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Set;
import java.util.stream.Collectors;

/** The requests of an endpoint in groups, and what one group has more than another one. */
final class SlowRequests {
  private static final int MOST_GROUPS = 6;
  private static final int LONGEST_TITLE = 40;
  private static final int MOST_CAUSES = 3; // in a sentence

  private final RequestStacks stacks;
  private final List<EndpointResult.Dot> all;
  private final Groups groups;
  private final Groups.Pair pair;
  private final Measure measure;
  private final GroupComparison comparison;
  private final List<GroupComparison.Row> rows;

  SlowRequests(
      RequestStacks stacks, Groups groups, Groups.Pair pair, List<Measure> measures, OwnCode own) {
    this.stacks = stacks;
    this.all = stacks.all();
    this.groups = groups;
    this.pair = pair;
    this.measure = measures.get(0);
    this.comparison = new GroupComparison(stacks, groups, measures, Set.of(Column.OWN), own);
    this.rows = comparison.rows(pair);
  }

  Groups.Pair pair() {
    return pair;
  }

  /** A row for each group. */
  void writeGroups(Answer answer) {
    answer
        .line(
            "| group | requests | mean ms | min ms | max ms | CPU ms per request"
                + " | waiting ms per request |")
        .line("| --- | --: | --: | --: | --: | --: | --: |");
    for (Groups.Group group : groups.of().subList(0, Math.min(MOST_GROUPS, groups.of().size()))) {
      LongSummaryStatistics durations =
          Arrays.stream(group.places())
              .mapToLong(place -> all.get(place).durationNanos())
              .summaryStatistics();
      Tally tally = new Tally();
      Arrays.stream(group.places()).forEach(place -> tally.add(all.get(place).tally()));
      int requests = group.places().length;
      boolean none = requests == 0;
      answer.line(
          "%s",
          Answer.row(
              title(group),
              requests,
              none ? "" : Answer.millions(durations.getAverage()),
              none ? "" : Answer.millions(durations.getMin()),
              none ? "" : Answer.millions(durations.getMax()),
              none ? "" : Answer.millions((double) tally.cpuNanos() / requests),
              none ? "" : Answer.millions((double) tally.waitingNanos() / requests)));
    }
    if (groups.of().size() > MOST_GROUPS) {
      answer.line("Left out: %d other groups.", groups.of().size() - MOST_GROUPS);
    }
  }

  /** The methods that differ for certain, those with the largest difference first. */
  List<GroupComparison.Row> causes() {
    return rows.stream().filter(GroupComparison.Row::isCertain).toList();
  }

  /** What the second group has more, in a sentence without an end. */
  String text() {
    List<GroupComparison.Row> causes = causes();
    if (pair.a().places().length < 2 || pair.b().places().length < 2) {
      return "too few requests to tell";
    }
    if (causes.isEmpty()) {
      return "no method differs by more than chance";
    }
    String text =
        causes.stream()
            .limit(MOST_CAUSES)
            .map(SlowRequests::cause)
            .collect(Collectors.joining("; "));
    return causes.size() > MOST_CAUSES
        ? text + "; " + (causes.size() - MOST_CAUSES) + " other methods"
        : text;
  }

  private static String cause(GroupComparison.Row row) {
    return signed(row.verdict())
        + " "
        + Answer.unit(row.measure())
        + " ± "
        + Answer.millions(row.verdict().plusMinus())
        + " of "
        + Callers.text(List.of(row.frame()))
        + " "
        + Kinds.doing(row.measure());
  }

  /** What the methods in the sentence leave. */
  String rest() {
    Chance.Verdict rest = comparison.rest(pair, causes());
    boolean isUnknown = Double.isNaN(rest.plusMinus());
    return "The rest: "
        + signed(rest)
        + " "
        + Answer.unit(measure)
        + (isUnknown ? "" : " ± " + Answer.millions(rest.plusMinus()))
        + (!rest.chance()
            ? groups.chosen() ? ", in about the same proportions." : "."
            : ", which may be chance.");
  }

  /** Writes as many methods as there is room for before the end. */
  void writeMethods(Answer answer, Answer end) {
    answer
        .line(
            "| own method | kind | %s | %s | difference | ± | |", title(pair.a()), title(pair.b()))
        .line("| --- | --- | --: | --: | --: | --: | --- |");
    List<String> written = new ArrayList<>();
    for (GroupComparison.Row row : rows) {
      double plusMinus = row.verdict().plusMinus();
      written.add(
          Answer.row(
              Answer.name(row.frame().name()),
              Kinds.column(row.measure()),
              Answer.millions(row.a()),
              Answer.millions(row.b()),
              signed(row.verdict()),
              Double.isNaN(plusMinus) ? "unknown" : Answer.millions(plusMinus),
              row.isCertain() ? "" : "noise"));
    }
    int shown = answer.rows(written, end);
    if (shown < rows.size()) {
      String others = "(" + (rows.size() - shown) + " others, which differ less)";
      answer.line("%s", Answer.row(others, "", "", "", "", "", ""));
    }
    answer.add(end);
  }

  static String title(Groups.Group group) {
    String name = group.name();
    boolean isLong = name.codePointCount(0, name.length()) > LONGEST_TITLE;
    return name.isEmpty()
        ? "(without)"
        : Answer.name(isLong ? "…" + Answer.end(name, LONGEST_TITLE) : name);
  }

  /** What was measured of a group. */
  Measured measured(Groups.Group group) {
    Measured sum = Measured.sum();
    Arrays.stream(group.places())
        .filter(place -> all.get(place).durationNanos() > 0)
        .forEach(place -> sum.add(all.get(place).measured()));
    return sum;
  }

  RequestStacks stacks() {
    return stacks;
  }

  private static String signed(Chance.Verdict verdict) {
    return ChangedMethods.signed(verdict.difference());
  }
}
