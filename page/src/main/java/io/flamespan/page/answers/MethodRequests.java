/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.TimeBins;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Predicate;

/** The requests that have a method, with how much of it, and when they were. */
final class MethodRequests {
  private static final int BINS = 12;
  private static final int MOST_ROWS = 100; // more than an answer has room for
  private static final long SECOND = 1_000_000_000;

  /** A request, and what it has of the method. */
  private record Found(EndpointResult endpoint, EndpointResult.Dot request, Tally tally) {}

  private final Predicate<Frame> is;
  private final List<Found> found = new ArrayList<>();
  private final LongArrayList starts = new LongArrayList(); // also of those without the method
  private int withoutTimes;
  private final IdentityHashMap<StackTree, BitSet> within = new IdentityHashMap<>();
  private final Tally sum = new Tally();

  MethodRequests(Predicate<Frame> is) {
    this.is = is;
  }

  void add(EndpointResult endpoint) {
    RequestStacks stacks = endpoint.requestStacks();
    BitSet nodes = within.computeIfAbsent(stacks.stacks(), added -> stacks.nodesWithin(is));
    List<Tally> tallies = stacks.within(nodes);
    for (int place = 0; place < tallies.size(); place++) {
      EndpointResult.Dot request = stacks.all().get(place);
      if (request.hasDuration()) {
        starts.add(request.startNanos());
      } else {
        withoutTimes++;
      }
      if (!tallies.get(place).isEmpty()) {
        found.add(new Found(endpoint, request, tallies.get(place)));
        sum.add(tallies.get(place));
      }
    }
  }

  /** The measure that has the most time, or allocation if the method has no time. */
  Measure largest() {
    return sum.ofTime().stream()
        .max(Comparator.comparingLong(sum::amount))
        .filter(measure -> sum.amount(measure) > 0)
        .orElse(Measure.ALLOC);
  }

  /** What all requests have of the method. */
  long amount(Measure measure) {
    return sum.amount(measure);
  }

  /** How many requests have the method. */
  long count(Measure measure) {
    return found.stream().filter(one -> one.tally().amount(measure) > 0).count();
  }

  /** Writes as many requests as there is room for beside the times. */
  void write(Answer answer, Measure measure, EndpointNames names) {
    List<Found> sorted =
        found.stream()
            .filter(one -> one.tally().amount(measure) > 0)
            .sorted(
                Comparator.comparingLong((Found one) -> -one.tally().amount(measure))
                    .thenComparingLong(one -> -one.request().durationNanos())
                    .thenComparing(one -> one.request().traceId()))
            .toList();
    String unit = Kinds.column(measure);
    answer
        .line("| trace | endpoint | begins | duration ms | %s | %% of its %s |", unit, unit)
        .line("| --- | --- | --- | --: | --: | --: |");
    List<String> rows = new ArrayList<>();
    for (Found one : sorted.subList(0, Math.min(MOST_ROWS, sorted.size()))) {
      rows.add(
          Answer.row(
              one.request().traceId(),
              names.printed(one.endpoint()),
              Instant.ofEpochSecond(0, one.request().startNanos()),
              Answer.millions(one.request().durationNanos()),
              Answer.millions(one.tally().amount(measure)),
              Answer.percent(one.tally().amount(measure), one.request().tally().amount(measure))));
    }
    Answer end = new Answer();
    overTime(end, measure);
    sorted.stream()
        .limit(1)
        .forEach(one -> end.line("").line("Next: `request --id %s`.", one.request().traceId()));
    int shown = answer.rows(rows, end);
    if (shown < sorted.size()) {
      List<Found> others = sorted.subList(shown, sorted.size());
      answer.line(
          "%s",
          Answer.row(
              "(" + others.size() + " others)",
              "",
              "",
              "",
              Answer.millions(others.stream().mapToLong(one -> one.tally().amount(measure)).sum()),
              ""));
    }
    answer.add(end);
  }

  /** Of the time in which all requests begin, so that times without the method are visible. */
  private void overTime(Answer answer, Measure measure) {
    long first = starts.longStream().min().orElse(0) / SECOND;
    long last = starts.longStream().max().orElse(-1) / SECOND;
    TimeBins bins = TimeBins.between(first, last, BINS);
    long[] requests = new long[bins.count()];
    long[] with = new long[bins.count()];
    long[] amounts = new long[bins.count()];
    starts.forEach((long start) -> requests[bins.binOf(start)]++);
    for (Found one : found) {
      if (one.request().hasDuration()) {
        int bin = bins.binOf(one.request().startNanos());
        with[bin] += one.tally().amount(measure) > 0 ? 1 : 0;
        amounts[bin] += one.tally().amount(measure);
      }
    }
    answer
        .line("")
        .line("| requests since | requests | with it | %s |", Kinds.column(measure))
        .line("| --- | --: | --: | --: |");
    for (int bin = 0; bin < bins.count(); bin++) {
      answer.line(
          "%s",
          Answer.row(
              Instant.ofEpochSecond(0, bins.beginNanos(bin)),
              requests[bin],
              with[bin],
              Answer.millions(amounts[bin])));
    }
    if (withoutTimes > 0) {
      answer.line("Not in this table: %d requests whose times are not known.", withoutTimes);
    }
  }
}
