/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A flame graph. Node 0 is the root, with all samples. The values of a node include its children's.
 * A parent has a smaller number than its children.
 */
public final class FlameTree {
  private final IntArrayList parents = new IntArrayList();
  private final List<Frame> frames = new ArrayList<>();
  private final LongArrayList[] counts = lists(); // by measure and node, zero beyond the end
  private final LongArrayList[] amounts = lists();
  private long leftOut;
  private @Nullable Map<Integer, Map<Frame, Integer>> children; // if graphs were merged into it

  public FlameTree(String title) {
    add(-1, new Frame(title, "", ""));
  }

  private static LongArrayList[] lists() {
    LongArrayList[] lists = new LongArrayList[Measure.COUNT];
    Arrays.setAll(lists, measure -> new LongArrayList());
    return lists;
  }

  public int add(int parent, Frame frame) {
    children = null;
    return append(parent, frame);
  }

  private int append(int parent, Frame frame) {
    parents.add(parent);
    frames.add(frame);
    return parents.size() - 1;
  }

  public void grow(int node, Measure measure, long moreCount, long moreAmount) {
    grow(counts[measure.ordinal()], node, moreCount);
    grow(amounts[measure.ordinal()], node, moreAmount);
  }

  private static void grow(LongArrayList list, int node, long more) {
    if (more != 0) {
      while (list.size() <= node) { // size(int) would copy the whole list each time
        list.add(0);
      }
      list.set(node, list.getLong(node) + more);
    }
  }

  /** Adds to the number of frames that are too small to be shown. */
  public void leaveOut(long nodes) {
    leftOut += nodes;
  }

  /** Adds another graph to the frames with the same callers. */
  public void merge(FlameTree other) {
    Map<Integer, Map<Frame, Integer>> below = children == null ? children() : children;
    int[] numbers = new int[other.size()];
    for (int node = 0; node < other.size(); node++) {
      if (node > 0) {
        int parent = numbers[other.parent(node)];
        Map<Frame, Integer> known = below.computeIfAbsent(parent, of -> new HashMap<>());
        Integer same = known.get(other.frame(node));
        numbers[node] = same == null ? append(parent, other.frame(node)) : same;
        known.put(other.frame(node), numbers[node]);
      }
      growLike(numbers[node], other, node);
    }
    leftOut += other.leftOut;
    children = below;
  }

  private Map<Integer, Map<Frame, Integer>> children() {
    Map<Integer, Map<Frame, Integer>> found = new HashMap<>();
    for (int node = 1; node < size(); node++) {
      found.computeIfAbsent(parent(node), parent -> new HashMap<>()).put(frame(node), node);
    }
    return found;
  }

  /** Adds another graph below the root. */
  public void graft(FlameTree other) {
    int[] numbers = new int[other.size()];
    for (int node = 0; node < other.size(); node++) {
      int parent = node == 0 ? 0 : numbers[other.parent(node)];
      numbers[node] = add(parent, other.frame(node));
      growLike(numbers[node], other, node);
    }
    growLike(0, other, 0);
    leftOut += other.leftOut;
  }

  private void growLike(int node, FlameTree other, int otherNode) {
    for (Measure measure : Measure.values()) {
      grow(node, measure, other.count(measure, otherNode), other.amount(measure, otherNode));
    }
  }

  public int size() {
    return parents.size();
  }

  public int parent(int node) {
    return parents.getInt(node);
  }

  public Frame frame(int node) {
    return frames.get(node);
  }

  /** How many nodes do not have all of any measure, as frames have that all stacks share. */
  public int dividing() {
    int dividing = 0;
    for (int node = 1; node < size(); node++) {
      int of = node;
      dividing +=
          Arrays.stream(Measure.values())
                  .noneMatch(one -> amount(one, 0) > 0 && amount(one, of) == amount(one, 0))
              ? 1
              : 0;
    }
    return dividing;
  }

  /** The frames of all nodes below the root. */
  public Set<Frame> frames() {
    return new HashSet<>(frames.subList(1, frames.size()));
  }

  public long count(Measure measure, int node) {
    return at(counts[measure.ordinal()], node);
  }

  public long amount(Measure measure, int node) {
    return at(amounts[measure.ordinal()], node);
  }

  private static long at(LongArrayList list, int node) {
    return node < list.size() ? list.getLong(node) : 0;
  }

  /** A new sum of all measures of this node. */
  public Tally tally(int node) {
    Tally tally = new Tally();
    for (Measure measure : Measure.values()) {
      tally.add(measure, count(measure, node), amount(measure, node));
    }
    return tally;
  }

  public long cpuNanos(int node) {
    return amount(Measure.CPU, node);
  }

  public long leftOut() {
    return leftOut;
  }
}
