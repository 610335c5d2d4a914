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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
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
  private static final int MOST = 3; // attributes, and as many parts
  private static final double MUCH = 0.1; // of the duration

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

  private static List<Ranked> attributes(RequestStacks stacks) {
    List<Ranked> attributes = new ArrayList<>();
    for (String name : Groups.attributes(stacks)) {
      Groups groups = Groups.byAttribute(name, stacks);
      int all = groups.of().stream().mapToInt(group -> group.places().length).sum();
      if (groups.of().stream()
          .mapToInt(group -> group.places().length)
          .anyMatch(one -> Math.min(one, all - one) >= 2)) {
        attributes.add(new Ranked(new Split(name, groups), betweenValues(groups, stacks.all())));
      }
    }
    return attributes;
  }

  /** The variance of the logarithm of the duration between values, by the one within values. */
  private static double betweenValues(Groups groups, List<EndpointResult.Dot> all) {
    double requests = 0;
    double sum = 0;
    double squares = 0;
    double between = 0;
    for (Groups.Group group : groups.of()) {
      double ofGroup = 0;
      for (int place : group.places()) {
        double logarithm = Math.log(all.get(place).durationNanos());
        ofGroup += logarithm;
        squares += logarithm * logarithm;
      }
      requests += group.places().length;
      sum += ofGroup;
      between += ofGroup * ofGroup / group.places().length;
    }
    int values = groups.of().size();
    double within = Math.max(0, squares - between) / Math.max(1, requests - values);
    double explained = Math.max(0, between - sum * sum / requests) / Math.max(1, values - 1);
    return explained / Math.max(within, Double.MIN_NORMAL);
  }

  private static List<Ranked> parts(RequestStacks stacks) {
    List<Ranked> ranked = new ArrayList<>();
    Set<Part> parts = EnumSet.allOf(Part.class);
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
