/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Part;
import io.flamespan.page.timeline.Parts;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How a page groups the requests of an endpoint beside by duration: by the attributes between whose
 * values durations differ the most, and by the parts of which some requests have much.
 *
 * @param possible how many there are, which divide the level of all
 */
public record Splits(List<Split> shown, int possible) {
  public static final Splits NONE = new Splits(List.of(), 0);

  private static final int MOST = 3; // attributes, and as many parts
  private static final double MUCH = 0.1; // of the duration

  /** How much of the variance of a part may be that of its samples. */
  private static final double NOISE = 0.5;

  /**
   * One of them.
   *
   * @param by the name of an attribute or the key of a part
   */
  public record Split(String by, Groups groups) {}

  private record Ranked(Split split, double weight) {}

  public static Splits of(RequestStacks stacks) {
    List<Ranked> attributes = attributes(stacks);
    List<Ranked> parts = parts(stacks);
    return new Splits(
        Stream.of(attributes, parts)
            .flatMap(
                of ->
                    of.stream()
                        .sorted(Comparator.comparingDouble(one -> -one.weight()))
                        .limit(MOST))
            .map(Ranked::split)
            .toList(),
        attributes.size() + parts.size());
  }

  /** Of those that divide the requests alike, the first. */
  private static List<Ranked> attributes(RequestStacks stacks) {
    List<Ranked> attributes = new ArrayList<>();
    Set<IntBuffer> divisions = new HashSet<>();
    for (String name : Groups.attributes(stacks)) {
      Groups groups = Groups.byAttribute(name, stacks);
      int all = groups.of().stream().mapToInt(group -> group.places().length).sum();
      if (groups.of().stream()
              .mapToInt(group -> group.places().length)
              .anyMatch(one -> Math.min(one, all - one) >= 2)
          && divisions.add(division(groups, stacks.all().size()))) {
        attributes.add(new Ranked(new Split(name, groups), betweenValues(groups, stacks.all())));
      }
    }
    return attributes;
  }

  /** The first request of the group of each. */
  private static IntBuffer division(Groups groups, int requests) {
    int[] firsts = new int[requests];
    for (Groups.Group group : groups.of()) {
      for (int place : group.places()) {
        firsts[place] = 1 + group.places()[0];
      }
    }
    return IntBuffer.wrap(firsts);
  }

  /**
   * The variance of the logarithm of the duration between values, by the one within values. Values
   * of one request are one value.
   */
  private static double betweenValues(Groups groups, List<EndpointResult.Dot> all) {
    List<int[]> values =
        new ArrayList<>(
            groups.of().stream().map(Groups.Group::places).filter(of -> of.length > 1).toList());
    values.add(
        groups.of().stream()
            .map(Groups.Group::places)
            .filter(of -> of.length == 1)
            .mapToInt(of -> of[0])
            .toArray());
    double requests = 0;
    double sum = 0;
    double squares = 0;
    double between = 0;
    int count = 0;
    for (int[] places : values) {
      double ofValue = 0;
      for (int place : places) {
        double logarithm = Math.log(Math.max(1, all.get(place).durationNanos()));
        ofValue += logarithm;
        squares += logarithm * logarithm;
      }
      requests += places.length;
      sum += ofValue;
      between += ofValue * ofValue / Math.max(1, places.length);
      count += places.length > 0 ? 1 : 0;
    }
    double within = Math.max(0, squares - between) / Math.max(1, requests - count);
    double explained = Math.max(0, between - sum * sum / requests) / Math.max(1, count - 1);
    return explained / Math.max(within, Double.MIN_NORMAL);
  }

  private static List<Ranked> parts(RequestStacks stacks) {
    List<Ranked> ranked = new ArrayList<>();
    Set<Part> parts = measured(stacks.all());
    List<Groups> byParts = Groups.byParts(parts, stacks);
    int number = 0;
    for (Part part : parts) {
      Groups groups = byParts.get(number++);
      groups.pairs().stream()
          .filter(Groups.Pair::isEnough)
          .filter(pair -> share(part, pair.b(), stacks) >= MUCH)
          .findFirst()
          .map(pair -> mean(part, pair.b(), stacks) - mean(part, pair.a(), stacks))
          .filter(more -> more > 0)
          .ifPresent(more -> ranked.add(new Ranked(new Split(part.key(), groups), more)));
    }
    return ranked;
  }

  /**
   * The parts in which requests differ by more than their samples do. Others would put requests
   * into groups by chance, and these would differ in what chance has chosen them by.
   */
  private static Set<Part> measured(List<EndpointResult.Dot> all) {
    int parts = Part.values().length;
    double[] sums = new double[parts];
    double[] squares = new double[parts];
    double[] ofSamples = new double[parts];
    double[] least = new double[parts]; // that a sample stands for; measured waits differ
    Arrays.fill(least, Double.MAX_VALUE);
    for (EndpointResult.Dot one : all) {
      Parts of = Parts.ofOne(one.measured());
      for (Part part : Part.values()) {
        double nanos = of.nanos(part);
        sums[part.ordinal()] += nanos;
        squares[part.ordinal()] += nanos * nanos;
      }
      for (Measured.Sum sum : one.measured().sums()) {
        if (sum.count() > 0) {
          int part = sum.part().ordinal();
          ofSamples[part] += sum.nanos();
          least[part] = Math.min(least[part], (double) sum.nanos() / sum.count());
        }
      }
    }
    Set<Part> found = EnumSet.allOf(Part.class);
    found.remove(Part.NOT_KNOWN);
    found.removeIf(
        part -> {
          double mean = sums[part.ordinal()] / Math.max(1, all.size());
          double variance = squares[part.ordinal()] - mean * sums[part.ordinal()];
          double ofChance = ofSamples[part.ordinal()] * least[part.ordinal()];
          return !(ofChance <= NOISE * variance);
        });
    return found;
  }

  private static double share(Part part, Groups.Group group, RequestStacks stacks) {
    Measured sum = measured(group, stacks);
    return (double) Parts.of(sum).nanos(part) / Math.max(1, sum.durationNanos());
  }

  private static double mean(Part part, Groups.Group group, RequestStacks stacks) {
    return (double) Parts.of(measured(group, stacks)).nanos(part) / group.places().length;
  }

  private static Measured measured(Groups.Group group, RequestStacks stacks) {
    Measured sum = Measured.sum();
    Arrays.stream(group.places()).forEach(place -> sum.add(stacks.all().get(place).measured()));
    return sum;
  }
}
