/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** All requests of an endpoint with their stacks. Their places name them, the slowest is first. */
public final class RequestStacks {
  private final int size;
  private final Supplier<List<EndpointResult.Dot>> read;
  private @Nullable List<EndpointResult.Dot> all;
  private final Supplier<List<Map<String, String>>> readAttributes;
  private @Nullable List<Map<String, String>> attributes;
  private final IntFunction<StackRows> rows;
  private final StackTree stacks;
  private final Frames frames;
  private final FlameTrees trees;

  /** Receives what methods have. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Receives what a method has in a request, which is more than 0.
     *
     * @param frame the number of the method, see {@link RequestStacks#frame}
     */
    void method(int place, int frame, Column column, Measure measure, long amount);
  }

  /**
   * Takes requests, the slowest first.
   *
   * @param all which are read when they are needed, as are the attributes of each
   * @param attributes such as have few values
   * @param rows the samples of the request at a place, without bins
   */
  public RequestStacks(
      int size,
      Supplier<List<EndpointResult.Dot>> all,
      Supplier<List<Map<String, String>>> attributes,
      IntFunction<StackRows> rows,
      StackTree stacks,
      Frames frames,
      FlameTrees trees) {
    this.size = size;
    this.read = all;
    this.readAttributes = attributes;
    this.rows = rows;
    this.stacks = stacks;
    this.frames = frames;
    this.trees = trees;
  }

  public List<EndpointResult.Dot> all() {
    if (all == null) {
      all = read.get();
    }
    return all;
  }

  private List<Map<String, String>> ofRequests() {
    if (attributes == null) {
      attributes = readAttributes.get();
    }
    return attributes;
  }

  /** The names of the attributes in which requests differ. */
  public Set<String> attributes() {
    Set<Map<String, String>> different = Collections.newSetFromMap(new IdentityHashMap<>());
    different.addAll(ofRequests());
    Set<String> names = new TreeSet<>();
    different.forEach(one -> names.addAll(one.keySet()));
    names.removeIf(
        name -> different.stream().map(one -> one.getOrDefault(name, "")).distinct().count() < 2);
    return names;
  }

  /** The value of such an attribute; the empty string if the request does not have it. */
  public String attribute(int place, String name) {
    return ofRequests().get(place).getOrDefault(name, "");
  }

  /** The graph of these requests, with at most so many frames besides sums of smaller ones. */
  public FlameTree tree(String title, int[] places, int mostNodes) {
    return trees.of(
        title,
        visitor -> {
          for (int place : places) {
            rows.apply(place).forEach(visitor);
          }
        },
        mostNodes);
  }

  /** The method with a number. */
  public Frame frame(int number) {
    return frames.get(number);
  }

  /** The numbers of methods, without those that no stack has. */
  public BitSet numbers(Collection<Frame> some) {
    BitSet numbers = new BitSet();
    some.stream().mapToInt(frames::find).filter(number -> number >= 0).forEach(numbers::set);
    return numbers;
  }

  /** Passes on what methods have in each request, one request after the other. */
  public void methods(Set<Column> columns, OwnCode own, Visitor visitor) {
    methods(IntStream.range(0, size).toArray(), columns, own, visitor);
  }

  /** The same of some requests. */
  public void methods(int[] places, Set<Column> columns, OwnCode own, Visitor visitor) {
    MethodsOfRequest methods = new MethodsOfRequest(stacks, frames, columns, own);
    for (int place : places) {
      rows.apply(place)
          .forEach((stack, bin, measure, count, amount) -> methods.add(stack, measure, amount));
      methods.end(place, visitor);
    }
  }

  /** The tree whose nodes {@link #within} takes; several endpoints may have the same one. */
  public StackTree stacks() {
    return stacks;
  }

  /** The nodes of such frames, and those below them. */
  public BitSet nodesWithin(Predicate<Frame> such) {
    BitSet ofFrames = new BitSet();
    for (int frame = 0; frame < frames.size(); frame++) {
      ofFrames.set(frame, such.test(frames.get(frame)));
    }
    BitSet nodes = new BitSet();
    for (int node = 1; node < stacks.size(); node++) {
      nodes.set(node, nodes.get(stacks.parent(node)) || ofFrames.get(stacks.frame(node)));
    }
    return nodes;
  }

  /** The methods that requests have. */
  public Set<Frame> frames() {
    BitSet nodes = new BitSet();
    for (int place = 0; place < size; place++) {
      rows.apply(place).forEach((stack, bin, measure, count, amount) -> nodes.set(stack));
    }
    BitSet ofFrames = new BitSet();
    for (int node = nodes.length() - 1; node > 0; node--) {
      if (nodes.get(node)) {
        nodes.set(stacks.parent(node));
        ofFrames.set(stacks.frame(node));
      }
    }
    return ofFrames.stream().mapToObj(frames::get).collect(Collectors.toSet());
  }

  /** What each request has in these nodes. */
  public List<Tally> within(BitSet nodes) {
    List<Tally> tallies = new ArrayList<>();
    for (int place = 0; place < size; place++) {
      Tally tally = new Tally();
      rows.apply(place)
          .forEach(
              (stack, bin, measure, count, amount) -> {
                if (nodes.get(stack)) {
                  tally.add(measure, count, amount);
                }
              });
      tallies.add(tally);
    }
    return tallies;
  }

  /**
   * The graph of all, and their samples by group in place of a bin of time. Has fewer nodes if
   * there would be too many cells, see {@link FlameTrees#sliced}.
   */
  public TimeSlices slices(String title, List<int[]> groups, int mostNodes, int mostCells) {
    int[] groupOf = new int[size];
    Arrays.fill(groupOf, -1);
    TimeSlices.Bins sums = new TimeSlices.Bins(groups.size());
    for (int group = 0; group < groups.size(); group++) {
      for (int place : groups.get(group)) {
        EndpointResult.Dot request = all().get(place);
        groupOf[place] = group;
        sums.requests()[group]++;
        sums.known()[group] += request.hasDuration() ? 1 : 0;
        sums.durationNanos()[group] += request.durationNanos();
        sums.samples()[group] += request.tally().samples();
        sums.add(group, request.measured());
      }
    }
    StackRows grouped =
        visitor -> {
          for (int place = 0; place < groupOf.length; place++) {
            int group = groupOf[place];
            rows.apply(place)
                .forEach(
                    (stack, bin, measure, count, amount) ->
                        visitor.row(stack, group, measure, count, amount));
          }
        };
    return trees.sliced(title, grouped, sums, mostNodes, mostCells);
  }
}
