/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.Sentence;
import io.flamespan.page.results.Tally;
import io.flamespan.page.timeline.Durations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** What one group of the requests of an endpoint has more of than another one, and why. */
public final class SlowRequests {
  public static final int MOST_CAUSES = 3; // in a sentence

  private final List<EndpointResult.Dot> all;
  private final Groups groups;
  private final GroupComparison comparison;
  private final List<Measure> measures;
  private final double level;
  private final Map<String, List<GroupComparison.Row>> known = new HashMap<>(); // by group
  private final Map<String, List<GroupComparison.Row>> certain = new HashMap<>(); // of these

  /**
   * Takes groups of which the comparison has received all own methods.
   *
   * @param measures which are judged together
   * @param part see {@link #part}
   */
  public SlowRequests(
      RequestStacks stacks,
      Groups groups,
      GroupComparison comparison,
      List<Measure> measures,
      double part) {
    this.all = stacks.all();
    this.groups = groups;
    this.comparison = comparison;
    this.measures = measures;
    this.level = Chance.LEVEL * part / groups.names().size();
  }

  /** The part of the level that an endpoint has, by the time of its requests. */
  public static double part(EndpointResult endpoint, List<EndpointResult> endpoints) {
    double sum = endpoints.stream().mapToDouble(one -> one.measured().durationNanos()).sum();
    return endpoint.measured().durationNanos() / Math.max(1, sum);
  }

  /** The level of all rows of a pair together. */
  public double level() {
    return level;
  }

  /**
   * The pair that is shown if none is chosen: the first with a method that differs for certain, or
   * else with a kind, or else with enough requests.
   */
  public Groups.Pair pair() {
    return pair(groups.pairs());
  }

  /** The same of some of the pairs. */
  public Groups.Pair pair(List<Groups.Pair> pairs) {
    return first(pairs, pair -> causes(pair).stream().anyMatch(row -> !row.ofKind()))
        .or(() -> first(pairs, pair -> !causes(pair).isEmpty()))
        .or(() -> first(pairs, Groups.Pair::isEnough))
        .orElseGet(() -> pairs.get(pairs.size() - 1));
  }

  private static Optional<Groups.Pair> first(List<Groups.Pair> pairs, Predicate<Groups.Pair> such) {
    return pairs.stream().filter(such).findFirst();
  }

  /**
   * The own methods, those that differ for certain first, then those that differ the most. A kind
   * that differs as a whole is a row if none of its methods differs for certain; its frame is the
   * method that has most of the difference, or else {@link GroupComparison#NO_OWN}.
   */
  public List<GroupComparison.Row> rows(Groups.Pair pair) {
    return known.computeIfAbsent(pair.b().name(), added -> judged(pair));
  }

  private List<GroupComparison.Row> judged(Groups.Pair pair) {
    boolean several = measures.size() > 1;
    double ofEach = several ? level / (measures.size() + 1) : level;
    List<GroupComparison.Row> rows = new ArrayList<>();
    for (Measure measure : measures) {
      List<GroupComparison.Row> methods = comparison.rows(pair, measure, Column.OWN, ofEach);
      rows.addAll(methods);
      if (several && methods.stream().noneMatch(GroupComparison.Row::isCertain)) {
        GroupComparison.Row kind = comparison.kind(pair, measure, ofEach / measures.size());
        if (kind.isCertain()) {
          rows.add(
              methods.stream()
                  .filter(row -> row.along(kind) > kind.along(kind) / 2)
                  .max(Comparator.comparingDouble(row -> row.along(kind)))
                  .map(most -> kind.with(most.frame()))
                  .orElse(kind));
        }
      }
    }
    rows.sort(GroupComparison.ORDER);
    return rows;
  }

  /** The kind that differs as a whole and of which this method has most of the difference. */
  public Optional<GroupComparison.Row> kindOf(Groups.Pair pair, GroupComparison.Row method) {
    return causes(pair).stream()
        .filter(row -> row.ofKind() && row.measure() == method.measure())
        .filter(row -> row.frame().equals(method.frame()))
        .findFirst();
  }

  /** The rows that differ for certain. */
  public List<GroupComparison.Row> causes(Groups.Pair pair) {
    return certain.computeIfAbsent(
        pair.b().name(),
        added -> rows(pair).stream().filter(GroupComparison.Row::isCertain).toList());
  }

  /** What the second group of a pair has more, in a sentence without an end. */
  public String text(Groups.Pair pair, UnaryOperator<String> escape) {
    return text(pair, escape, MOST_CAUSES);
  }

  /** The same with so many causes, if there are more. */
  public String text(Groups.Pair pair, UnaryOperator<String> escape, int most) {
    if (!pair.isEnough()) {
      return "too few requests to tell";
    }
    return String.format(
        Locale.ROOT,
        "%s against %s: %s, samples explain %s; %s",
        title(pair.b(), escape),
        title(pair.a(), escape),
        signed(Measure.CPU, mean(pair.b()) - mean(pair.a())),
        signed(
            Measure.CPU,
            mean(pair.b(), Tally::cpuNanos)
                + mean(pair.b(), Tally::waitingNanos)
                - mean(pair.a(), Tally::cpuNanos)
                - mean(pair.a(), Tally::waitingNanos)),
        causes(pair, escape, most));
  }

  private String title(Groups.Group group, UnaryOperator<String> escape) {
    String name = group.name();
    return String.format(
        Locale.ROOT,
        "the %,d %s",
        group.places().length,
        groups.byAmount() || !groups.of().contains(group)
            ? name
            : name.isEmpty() ? "without it" : "with " + Sentence.plain(name, escape));
  }

  private String causes(Groups.Pair pair, UnaryOperator<String> escape, int most) {
    List<GroupComparison.Row> rows = rows(pair);
    List<GroupComparison.Row> causes = causes(pair);
    List<String> texts = new ArrayList<>();
    for (GroupComparison.Row row : causes.subList(0, Math.min(most, causes.size()))) {
      texts.add(amount(row) + " " + doing(row, escape));
    }
    if (causes.size() > most) {
      texts.add("and more of " + (causes.size() - most) + " others");
    }
    if (causes.stream().allMatch(GroupComparison.Row::ofKind)) {
      Set<Measure> kinds = new HashSet<>();
      causes.forEach(row -> kinds.add(row.measure()));
      texts.add(
          "no single method is certain"
              + rows.stream()
                  .filter(row -> most > 0 && !row.ofKind() && !kinds.contains(row.measure()))
                  .findFirst()
                  .map(
                      row ->
                          "; most differs "
                              + amount(row)
                              + " "
                              + doing(row, escape)
                              + (groups.byAmount()
                                  ? ", which may be chance or a larger request"
                                  : ", which may be chance"))
                  .orElse(""));
    }
    return String.join("; ", texts);
  }

  private static String doing(GroupComparison.Row row, UnaryOperator<String> escape) {
    String doing =
        switch (row.measure()) {
          case CPU -> "on CPU";
          case WAIT -> "waiting";
          case ALLOC -> "allocated";
          case LOCK -> "waiting for locks";
        };
    String name =
        row.frame().equals(GroupComparison.NO_OWN)
            ? "no own method"
            : Sentence.method(row.frame().name(), escape);
    if (!row.ofKind()) {
      return doing + " in " + name;
    }
    return doing
        + " as a whole"
        + (row.frame().equals(GroupComparison.NO_OWN) ? "" : ", most of it in " + name);
  }

  private static String amount(GroupComparison.Row row) {
    double difference = row.verdict().difference();
    double plusMinus = row.verdict().plusMinus();
    String amount = signed(row.measure(), difference);
    if (Double.isNaN(plusMinus)) {
      return amount;
    }
    return row.isCertain() && plusMinus >= Math.abs(difference)
        ? amount + " on average"
        : amount + " ± " + text(row.measure(), plusMinus);
  }

  private static String signed(Measure measure, double amount) {
    return (amount < 0 ? "−" : "+") + text(measure, Math.abs(amount));
  }

  private static String text(Measure measure, double amount) {
    return measure == Measure.ALLOC
        ? String.format(Locale.ROOT, "%.3f MB", amount / 1e6)
        : Durations.text(amount);
  }

  /** The mean duration. */
  public double mean(Groups.Group group) {
    long sum = 0;
    for (int place : group.places()) {
      sum += all.get(place).durationNanos();
    }
    return mean(sum, group);
  }

  /** The mean of an amount of samples. */
  public double mean(Groups.Group group, ToLongFunction<Tally> amount) {
    long sum = 0;
    for (int place : group.places()) {
      sum += amount.applyAsLong(all.get(place).tally());
    }
    return mean(sum, group);
  }

  private static double mean(long sum, Groups.Group group) {
    return (double) sum / Math.max(1, group.places().length);
  }
}
