/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.comparison.Chance;
import io.flamespan.page.comparison.EndpointChange;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.MethodSpread;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.Spread;
import io.flamespan.page.results.Tally;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The methods of an endpoint by how much of a kind they have per request, before and now. */
final class ChangedMethods {
  /** The endpoints of one name on one side. */
  private static final class Side {
    private final MethodTimes times;
    private long requests;
    private long amount;

    Side(Measure measure, OwnCode own, Stream<EndpointResult> endpoints, int nodes) {
      times = new MethodTimes(own);
      endpoints.forEach(
          one -> {
            FlameTree tree = one.tree(nodes);
            times.add(tree, node -> tree.amount(measure, node));
            requests += one.requests();
            amount += one.tally().amount(measure);
          });
    }

    double perRequest(double of) {
      return of / Math.max(1, requests);
    }

    double of(Frame frame, ToLongFunction<MethodTimes.Times> value) {
      return perRequest(value.applyAsLong(times.of(frame)));
    }
  }

  private final Measure measure;
  private final Side before;
  private final Side now;
  private final List<EndpointChange> changes;
  private final Spread whole = new Spread();
  private final Map<Frame, MethodSpread> spreads = new HashMap<>();
  private final Tally tally = new Tally();

  ChangedMethods(Measure measure, OwnCode own, List<EndpointChange> changes, int nodes) {
    this.measure = measure;
    this.changes = changes;
    this.before =
        new Side(
            measure,
            own,
            changes.stream().map(EndpointChange::before).filter(one -> one != null),
            nodes);
    this.now =
        new Side(
            measure,
            own,
            changes.stream().map(EndpointChange::now).filter(one -> one != null),
            nodes);
    for (EndpointChange change : changes) {
      for (EndpointResult side : change.sides()) {
        whole.add(side.spread(measure));
        tally.add(side.tally());
        side.methods()
            .forEach(
                (frame, spread) ->
                    spreads.computeIfAbsent(frame, added -> new MethodSpread()).add(spread));
      }
    }
  }

  /** Writes as many as there is room for before the end, beginning with the largest change. */
  void write(Answer answer, String endpoint, ToLongFunction<MethodTimes.Times> sort, Answer end) {
    Set<Frame> frames = new LinkedHashSet<>();
    Stream.of(before, now)
        .forEach(side -> side.times.sorted(sort).forEach(one -> frames.add(one.frame)));
    List<Frame> sorted = new ArrayList<>(frames);
    sorted.removeIf(
        frame -> change(frame, one -> one.total) == 0 && change(frame, one -> one.self) == 0);
    sorted.sort(
        Comparator.comparingDouble((Frame frame) -> -Math.abs(change(frame, sort)))
            .thenComparingDouble(frame -> -Math.abs(change(frame, one -> one.self)))
            .thenComparingDouble(frame -> -Math.abs(change(frame, one -> one.total)))
            .thenComparing(Frame::name));
    String unit = Answer.unit(measure);
    answer
        .line(
            "Methods of %s by their change: %s per request, the baseline first.",
            endpoint, Kinds.title(measure))
        .line("")
        .line("%s", verdict())
        .line("")
        .line(
            "| method | own %s | own %s | difference | self difference | ± | total difference | ±"
                + " |",
            unit, unit)
        .line("| --- | --: | --: | --: | --: | --: | --: | --: |");
    MethodNames names = new MethodNames(sorted);
    List<String> rows = sorted.stream().map(frame -> row(frame, names.printed(frame))).toList();
    Answer after =
        new Answer()
            .line(
                "%s",
                Answer.row(
                    "all",
                    Answer.millions(before.perRequest(before.amount)),
                    Answer.millions(now.perRequest(now.amount)),
                    signed(now.perRequest(now.amount) - before.perRequest(before.amount)),
                    "",
                    "",
                    "",
                    ""))
            .add(end);
    int shown = answer.rows(rows, after);
    if (shown < rows.size()) {
      String others = "(" + (rows.size() - shown) + " others, which changed less)";
      answer.line("%s", Answer.row(others, "", "", "", "", "", "", ""));
    }
    answer.add(after);
  }

  /** What the endpoint's change is worth. Within noise, a change of a method is noise. */
  private String verdict() {
    List<String> verdicts = new ArrayList<>();
    for (EndpointChange change : changes) {
      double plusMinus = change.plusMinus(measure);
      verdicts.add(
          String.format(
              Locale.ROOT,
              "%s: %d requests, then %d; difference %s %s, ± %s%s.",
              Answer.name(change.service()),
              change.before() == null ? 0 : change.before().requests(),
              change.now() == null ? 0 : change.now().requests(),
              signed(change.perRequest(measure)),
              Answer.unit(measure),
              plusMinus(plusMinus),
              change.isChance(measure) ? ", which is noise" : ""));
    }
    return String.join(" ", verdicts) + " A difference within its ± is noise.";
  }

  private double change(Frame frame, ToLongFunction<MethodTimes.Times> value) {
    return now.of(frame, value) - before.of(frame, value);
  }

  private String row(Frame frame, String name) {
    return Answer.row(
        name,
        Answer.millions(before.of(frame, one -> one.own)),
        Answer.millions(now.of(frame, one -> one.own)),
        signed(change(frame, one -> one.own)),
        signed(change(frame, one -> one.self)),
        plusMinus(frame, one -> one.self, spread -> spread.self(measure)),
        signed(change(frame, one -> one.total)),
        plusMinus(frame, one -> one.total, spread -> spread.total(measure)));
  }

  /** What chance may do to a method, which is not more than chance where its endpoint is not. */
  private String plusMinus(
      Frame frame, ToLongFunction<MethodTimes.Times> value, Function<MethodSpread, Spread> column) {
    long a = value.applyAsLong(before.times.of(frame));
    long b = value.applyAsLong(now.times.of(frame));
    MethodSpread known = spreads.get(frame);
    Spread spread = known == null ? whole : column.apply(known);
    long requests = before.requests + now.requests;
    double sample = (double) tally.amount(measure) / Math.max(1, tally.count(measure));
    Chance.Verdict verdict =
        Chance.judge(
            new Chance.Side(before.requests, a),
            new Chance.Side(now.requests, b),
            new Chance.Spreading(
                spread.cluster(requests),
                spread.skew(requests),
                measure.isIndependent() ? sample : 0),
            Chance.LEVEL * (a + b) / Math.max(1, tally.amount(measure)));
    boolean inside = changes.stream().allMatch(change -> change.isChance(measure));
    return plusMinus(
        inside
            ? Math.max(verdict.plusMinus(), Math.abs(verdict.difference()))
            : verdict.plusMinus());
  }

  private static String plusMinus(double plusMinus) {
    return Double.isNaN(plusMinus) ? "unknown" : Answer.millions(plusMinus);
  }

  static String signed(double amount) {
    return String.format(Locale.ROOT, "%+.3f", amount / 1e6);
  }
}
