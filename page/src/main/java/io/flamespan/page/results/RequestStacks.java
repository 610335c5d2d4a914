/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** All requests of an endpoint with their stacks. Their places name them, the slowest is first. */
public final class RequestStacks {
  private final List<EndpointResult.Dot> all;
  private final List<Map<String, String>> attributes;
  private final IntFunction<StackRows> rows;
  private final StackTree stacks;
  private final Frames frames;
  private final FlameTrees trees;

  /** Receives what methods have. */
  @FunctionalInterface
  public interface Visitor {
    /** Receives what a method has in a request, which is more than 0. */
    void method(int place, Frame frame, Column column, Measure measure, long amount);
  }

  /**
   * Takes requests, the slowest first.
   *
   * @param attributes of each, such as have few values
   * @param rows the samples of the request at a place, without bins
   */
  public RequestStacks(
      List<EndpointResult.Dot> all,
      List<Map<String, String>> attributes,
      IntFunction<StackRows> rows,
      StackTree stacks,
      Frames frames,
      FlameTrees trees) {
    this.all = all;
    this.attributes = attributes;
    this.rows = rows;
    this.stacks = stacks;
    this.frames = frames;
    this.trees = trees;
  }

  public List<EndpointResult.Dot> all() {
    return all;
  }

  /** The names of the attributes in which requests differ. */
  public Set<String> attributes() {
    Set<Map<String, String>> different = Collections.newSetFromMap(new IdentityHashMap<>());
    different.addAll(attributes);
    Set<String> names = new TreeSet<>();
    different.forEach(one -> names.addAll(one.keySet()));
    names.removeIf(
        name -> different.stream().map(one -> one.getOrDefault(name, "")).distinct().count() < 2);
    return names;
  }

  /** The value of such an attribute; the empty string if the request does not have it. */
  public String attribute(int place, String name) {
    return attributes.get(place).getOrDefault(name, "");
  }

  /** The graph of these requests, with at most so many frames besides sums of smaller ones. */
  public FlameTree tree(String title, int[] places, int mostNodes) {
    return trees.of(
        title,
        visitor -> Arrays.stream(places).forEach(place -> rows.apply(place).forEach(visitor)),
        mostNodes);
  }

  /** Passes on what methods have in each of these requests. */
  public void methods(int[] places, Set<Column> columns, OwnCode own, Visitor visitor) {
    MethodsOfRequest methods = new MethodsOfRequest(stacks, frames, columns, own);
    for (int place : places) {
      rows.apply(place)
          .forEach((stack, bin, measure, count, amount) -> methods.add(stack, measure, amount));
      methods.end(
          (frame, column, measure, amount) ->
              visitor.method(place, frame, column, measure, amount));
    }
  }

  /** By place, what such frames have with all that they call. */
  public long[] within(Measure measure, Predicate<Frame> such) {
    boolean[] ofFrames = new boolean[frames.size()];
    for (int frame = 0; frame < ofFrames.length; frame++) {
      ofFrames[frame] = such.test(frames.get(frame));
    }
    boolean[] inside = new boolean[stacks.size()];
    for (int node = 1; node < inside.length; node++) {
      inside[node] = inside[stacks.parent(node)] || ofFrames[stacks.frame(node)];
    }
    long[] amounts = new long[all.size()];
    for (int place = 0; place < amounts.length; place++) {
      int of = place;
      rows.apply(place)
          .forEach(
              (stack, bin, measured, count, amount) ->
                  amounts[of] += measured == measure && inside[stack] ? amount : 0);
    }
    return amounts;
  }

  /** The graph of all, and their samples by group in place of a bin of time. */
  public TimeSlices slices(String title, List<int[]> groups, int mostNodes) {
    int[] groupOf = new int[all.size()];
    Arrays.fill(groupOf, -1);
    TimeSlices.Bins sums = new TimeSlices.Bins(groups.size());
    for (int group = 0; group < groups.size(); group++) {
      for (int place : groups.get(group)) {
        EndpointResult.Dot request = all.get(place);
        groupOf[place] = group;
        sums.requests()[group]++;
        sums.durationNanos()[group] += request.durationNanos();
        sums.samples()[group] += request.tally().samples();
        sums.add(group, request.measured());
      }
    }
    StackRows grouped =
        visitor ->
            IntStream.range(0, groupOf.length)
                .forEach(
                    place ->
                        rows.apply(place)
                            .forEach(
                                (stack, bin, measure, count, amount) ->
                                    visitor.row(stack, groupOf[place], measure, count, amount)));
    return trees.sliced(title, grouped, sums, mostNodes, groups.size() * mostNodes);
  }
}
