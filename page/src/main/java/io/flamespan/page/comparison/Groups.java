/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.timeline.Part;
import io.flamespan.page.timeline.Parts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The requests of an endpoint in groups: by quantiles of the duration or of a part of it, or by the
 * value of an attribute. Those of unknown duration are in none.
 *
 * @param of the groups, of the least to the most, or the one with the longest mean first
 * @param byAmount whether the groups are by what all of a request has a part in
 */
public record Groups(List<Group> of, boolean byAmount) {
  public static final String DURATION = "duration";
  public static final int MOST_VALUES = 50; // of an attribute

  private static final double[] QUANTILES = {0.5, 0.9, 0.99};
  private static final List<String> NAMES = List.of("p50", "p90", "p99");

  /**
   * A group.
   *
   * @param places of its requests
   */
  @SuppressWarnings("ArrayRecordComponent") // which nobody compares
  public record Group(String name, int[] places) {}

  /**
   * Two sets of groups to compare, each as one group.
   *
   * @param ofA the numbers of the groups
   */
  public record Pair(Group a, List<Integer> ofA, Group b, List<Integer> ofB) {
    /** Whether one has no request, as if all durations are equal. */
    public boolean hasEmptySide() {
      return a.places.length == 0 || b.places.length == 0;
    }

    /** Whether both have requests enough to tell how much requests differ. */
    public boolean isEnough() {
      return Math.min(a.places.length, b.places.length) >= 2;
    }
  }

  /** By what requests can be grouped, beside attributes. */
  public static List<String> amounts() {
    List<String> names = new ArrayList<>(List.of(DURATION));
    Arrays.stream(Part.values()).map(Part::key).forEach(names::add);
    return names;
  }

  /** By the name of an amount or of an attribute. Empty if the requests have no such attribute. */
  public static Optional<Groups> by(String name, RequestStacks stacks) {
    if (name.equals(DURATION)) {
      return Optional.of(byDuration(stacks));
    }
    for (Part part : Part.values()) {
      if (part.key().equals(name)) {
        return Optional.of(byParts(Set.of(part), stacks).get(0));
      }
    }
    return stacks.attributes().contains(name)
        ? Optional.of(byAttribute(name, stacks)).filter(groups -> !groups.of().isEmpty())
        : Optional.empty();
  }

  /** The attributes that requests can be grouped by: of equal names, an amount comes first. */
  public static List<String> attributes(RequestStacks stacks) {
    return stacks.attributes().stream().filter(name -> !amounts().contains(name)).toList();
  }

  public static Groups byDuration(RequestStacks stacks) {
    List<EndpointResult.Dot> all = stacks.all();
    return byQuantiles(all, all.stream().mapToLong(EndpointResult.Dot::durationNanos).toArray());
  }

  /** By each of these parts, in their order. */
  public static List<Groups> byParts(Set<Part> parts, RequestStacks stacks) {
    List<EndpointResult.Dot> all = stacks.all();
    long[][] amounts = new long[parts.size()][all.size()];
    for (int place = 0; place < all.size(); place++) {
      Parts of = Parts.ofOne(all.get(place).measured());
      int number = 0;
      for (Part part : parts) {
        amounts[number++][place] = of.nanos(part);
      }
    }
    return Arrays.stream(amounts).map(of -> byQuantiles(all, of)).toList();
  }

  /** By nearest rank. Equal amounts are in one group. */
  private static Groups byQuantiles(List<EndpointResult.Dot> all, long[] amounts) {
    int[] sorted =
        IntStream.range(0, all.size())
            .filter(place -> all.get(place).hasDuration())
            .boxed()
            .sorted(Comparator.comparingLong(place -> amounts[place]))
            .mapToInt(Integer::intValue)
            .toArray();
    List<Group> groups = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i <= QUANTILES.length; i++) {
      int rank =
          i < QUANTILES.length ? (int) Math.ceil(QUANTILES[i] * sorted.length) : sorted.length;
      int end = Math.max(begin, rank);
      while (end > 0 && end < sorted.length && amounts[sorted[end]] == amounts[sorted[end - 1]]) {
        end++;
      }
      String title =
          i == 0
              ? "up to p50"
              : i < QUANTILES.length
                  ? NAMES.get(i - 1) + "–" + NAMES.get(i)
                  : "above " + NAMES.get(i - 1);
      groups.add(new Group(title, Arrays.copyOfRange(sorted, begin, end)));
      begin = end;
    }
    return new Groups(groups, true);
  }

  /** By the value of an attribute in which requests differ. */
  static Groups byAttribute(String name, RequestStacks stacks) {
    Map<String, List<Integer>> places = new TreeMap<>();
    List<EndpointResult.Dot> all = stacks.all();
    for (int place = 0; place < all.size(); place++) {
      if (all.get(place).hasDuration()) {
        places
            .computeIfAbsent(stacks.attribute(place, name), added -> new ArrayList<>())
            .add(place);
      }
    }
    List<Group> groups = new ArrayList<>();
    places.forEach(
        (value, of) ->
            groups.add(new Group(value, of.stream().mapToInt(Integer::intValue).toArray())));
    groups.sort(Comparator.comparingDouble(group -> -meanNanos(group, all)));
    return new Groups(groups, false);
  }

  private static double meanNanos(Group group, List<EndpointResult.Dot> all) {
    return Arrays.stream(group.places())
        .mapToLong(place -> all.get(place).durationNanos())
        .average()
        .orElse(0);
  }

  /** The names by which {@link #pair} knows the second group. */
  public List<String> names() {
    return byAmount ? NAMES : of.stream().map(Group::name).toList();
  }

  /** All pairs, that of the highest quantile or of the slowest value first. */
  public List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    for (int place = 0; place < names().size(); place++) {
      pairs.add(pair(place));
    }
    if (byAmount) {
      Collections.reverse(pairs);
    }
    return pairs;
  }

  /** The typical requests and those above a quantile, or the others and those with a value. */
  public Optional<Pair> pair(String name) {
    int place = names().indexOf(name);
    return place < 0 ? Optional.empty() : Optional.of(pair(place));
  }

  private Pair pair(int place) {
    List<Integer> numbers = IntStream.range(0, of.size()).boxed().toList();
    if (byAmount) {
      List<Integer> above = numbers.subList(place + 1, numbers.size());
      return new Pair(
          of.get(0), numbers.subList(0, 1), merged("above " + NAMES.get(place), above), above);
    }
    List<Integer> others = numbers.stream().filter(number -> number != place).toList();
    return new Pair(merged("others", others), others, of.get(place), List.of(place));
  }

  private Group merged(String name, List<Integer> numbers) {
    return new Group(
        name,
        numbers.stream().flatMapToInt(number -> Arrays.stream(of.get(number).places())).toArray());
  }
}
