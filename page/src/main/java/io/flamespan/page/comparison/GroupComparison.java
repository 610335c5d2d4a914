/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.Tally;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;

/** Groups of requests of an endpoint, method by method. */
public final class GroupComparison {
  /** In place of a method, what no own method has. */
  public static final Frame NO_OWN = new Frame("(no own method)", "", "");

  private static final double LEAST_SHARE = 0.001; // of its kind

  /** A method by what counts for it. */
  private record Key(Frame frame, Column column, Measure measure) {}

  /** What a group has of a method, beside all time that samples explain, and beside its kind. */
  private static final class OfGroup {
    final Composition.Part ofTime = new Composition.Part();
    final Composition.Part ofKind = new Composition.Part();
  }

  /** What requests of two groups have of a method on average. */
  public record Row(
      Frame frame, Column column, Measure measure, double a, double b, Chance.Verdict verdict) {
    public boolean isCertain() {
      return !verdict.chance();
    }
  }

  private final RequestStacks stacks;
  private final Groups groups;
  private final List<Measure> measures;
  private final Set<Column> columns;
  private final OwnCode own;
  private final List<EndpointResult.Dot> all;
  private final Tally[] tallies; // by group
  private final Map<Key, OfGroup[]> methods = new HashMap<>(); // by group

  /** Sums up these measures, which are judged together. */
  public GroupComparison(
      RequestStacks stacks,
      Groups groups,
      List<Measure> measures,
      Set<Column> columns,
      OwnCode own) {
    this.stacks = stacks;
    this.groups = groups;
    this.measures = measures;
    this.columns = columns;
    this.own = own;
    this.all = stacks.all();
    int count = groups.of().size();
    this.tallies = new Tally[count];
    for (int number = 0; number < count; number++) {
      add(number);
    }
  }

  private void add(int number) {
    int[] places = groups.of().get(number).places();
    tallies[number] = new Tally();
    for (int place : places) {
      tallies[number].add(all.get(place).tally());
    }
    forEachMethod(
        places,
        columns,
        (place, frame, column, measure, amount) -> {
          OfGroup[] of =
              methods.computeIfAbsent(
                  new Key(frame, column, measure), added -> new OfGroup[tallies.length]);
          of[number] = of[number] == null ? new OfGroup() : of[number];
          of[number].ofTime.add(amount, time(place, measure));
          of[number].ofKind.add(amount, all.get(place).tally().amount(measure));
        });
  }

  /** What samples explain of a request: its time on CPU and waiting, or its bytes. */
  private double time(int place, Measure measure) {
    Tally of = all.get(place).tally();
    return measure == Measure.ALLOC ? of.amount(measure) : of.cpuNanos() + of.waitingNanos();
  }

  /** Also passes on what no own method has. */
  private void forEachMethod(int[] places, Set<Column> some, RequestStacks.Visitor visitor) {
    long[][] inOwn = new long[Measure.COUNT][all.size()];
    stacks.methods(
        places,
        some,
        own,
        (place, frame, column, measure, amount) -> {
          if (measures.contains(measure)) {
            visitor.method(place, frame, column, measure, amount);
            inOwn[measure.ordinal()][place] += column == Column.OWN ? amount : 0;
          }
        });
    for (Measure measure : some.contains(Column.OWN) ? measures : List.<Measure>of()) {
      for (int place : places) {
        long amount = all.get(place).tally().amount(measure) - inOwn[measure.ordinal()][place];
        if (amount > 0) {
          visitor.method(place, NO_OWN, Column.OWN, measure, amount);
        }
      }
    }
  }

  /**
   * Compares two groups: the methods that differ by more than chance first, then those that differ
   * the most. Very small ones are left out.
   */
  public List<Row> rows(Groups.Pair pair) {
    Tally tally = new Tally();
    for (List<Integer> side : List.of(pair.ofA(), pair.ofB())) {
      side.forEach(number -> tally.add(tallies[number]));
    }
    Map<Measure, Sides> ofTime = new EnumMap<>(Measure.class);
    Map<Measure, Sides> ofKind = new EnumMap<>(Measure.class);
    for (Measure measure : measures) {
      ofTime.put(measure, sides(pair, place -> time(place, measure)));
      ofKind.put(measure, sides(pair, place -> all.get(place).tally().amount(measure)));
    }
    List<Row> rows = new ArrayList<>();
    methods.forEach(
        (key, of) -> {
          Sides time =
              Objects.requireNonNull(ofTime.get(key.measure())).with(pair, of, one -> one.ofTime);
          Sides kind =
              Objects.requireNonNull(ofKind.get(key.measure())).with(pair, of, one -> one.ofKind);
          if (isLarge(kind.a()) || isLarge(kind.b())) {
            rows.add(row(key, time, kind, tally));
          }
        });
    rows.sort(
        Comparator.comparing((Row row) -> !row.isCertain())
            .thenComparingDouble(row -> -Math.abs(row.verdict().difference()))
            .thenComparing(row -> row.frame().name())
            .thenComparing(Row::measure));
    return rows;
  }

  /** Judging takes long, and profiles may have very many small methods. */
  private static boolean isLarge(Composition.Group group) {
    return group.share() > LEAST_SHARE;
  }

  /** Two groups that are compared, without or with a method. */
  private record Sides(Composition.Group a, Composition.Group b) {
    double amount() {
      return a.part().sum + b.part().sum;
    }

    Sides with(Groups.Pair pair, OfGroup[] of, Function<OfGroup, Composition.Part> beside) {
      return new Sides(
          new Composition.Group(a.whole(), sum(of, pair.ofA(), beside)),
          new Composition.Group(b.whole(), sum(of, pair.ofB(), beside)));
    }

    private static Composition.Part sum(
        OfGroup[] of, List<Integer> numbers, Function<OfGroup, Composition.Part> beside) {
      Composition.Part sum = new Composition.Part();
      for (int number : numbers) {
        if (of[number] != null) {
          sum.add(beside.apply(of[number]));
        }
      }
      return sum;
    }
  }

  private static Sides sides(Groups.Pair pair, IntToDoubleFunction amount) {
    return new Sides(group(pair.a(), amount), group(pair.b(), amount));
  }

  /** A group with all of an amount. */
  private static Composition.Group group(Groups.Group group, IntToDoubleFunction amount) {
    Composition.Whole whole = new Composition.Whole();
    Composition.Part part = new Composition.Part();
    for (int place : group.places()) {
      whole.add(amount.applyAsDouble(place));
      part.add(amount.applyAsDouble(place), amount.applyAsDouble(place));
    }
    return new Composition.Group(whole, part);
  }

  /** The slowest of many values of an attribute differs by chance more often than one of two. */
  private double level() {
    return groups.chosen() ? Chance.LEVEL : Chance.LEVEL / groups.of().size();
  }

  private Row row(Key key, Sides time, Sides kind, Tally tally) {
    double amount = Math.max(1, tally.amount(key.measure()));
    double sample =
        key.measure().isIndependent() ? amount / Math.max(1, tally.count(key.measure())) : 0;
    double level = level() / measures.size() * time.amount() / amount;
    return new Row(
        key.frame(),
        key.column(),
        key.measure(),
        time.a().perRequest(),
        time.b().perRequest(),
        groups.chosen()
            ? verdict(key.measure(), time, kind, sample, level)
            : Composition.judgeByRequests(time.a(), time.b(), sample, level));
  }

  /**
   * If all of a kind grew, a method stands out that grew by more than its kind. So does one that
   * has most of longer waits, as often only one method waits.
   */
  private static Chance.Verdict verdict(
      Measure measure, Sides time, Sides kind, double sample, double level) {
    Chance.Verdict ofTime = Composition.judge(time.a(), time.b(), sample, level);
    double ofAll = kind.b().whole().perRequest() - kind.a().whole().perRequest();
    boolean isMost = measure != Measure.CPU && 2 * ofTime.difference() > ofAll;
    if (ofTime.chance() || isMost || kind.a().whole().sum == 0) {
      return ofTime;
    }
    Chance.Verdict ofKind = Composition.judge(kind.a(), kind.b(), sample, level);
    return ofKind.chance() || ofKind.plusMinus() > ofTime.plusMinus() ? ofKind : ofTime;
  }

  /** What is left without these rows of own methods, and by how much it differs. */
  public Chance.Verdict rest(Groups.Pair pair, List<Row> without) {
    Set<Key> left = new HashSet<>();
    without.forEach(row -> left.add(new Key(row.frame(), row.column(), row.measure())));
    return Composition.judgeByRequests(rest(pair.a(), left), rest(pair.b(), left), 0, level());
  }

  private Composition.Group rest(Groups.Group group, Set<Key> without) {
    double[] amounts = new double[all.size()];
    forEachMethod(
        group.places(),
        Set.of(Column.OWN),
        (place, frame, column, measure, amount) ->
            amounts[place] += without.contains(new Key(frame, column, measure)) ? 0 : amount);
    return group(group, place -> amounts[place]);
  }
}
