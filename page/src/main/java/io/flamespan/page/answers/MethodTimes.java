/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.OwnCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;

/**
 * The methods of graphs, with what is in themselves, in all that they call, and in the library code
 * that they call. The last one is own: of each stack, it belongs to the innermost method that is no
 * library. Recursion counts once. A leaf that is the class of what was allocated or locked is not a
 * method: what it has belongs to the method above it.
 */
final class MethodTimes {
  static final class Times {
    final Frame frame;
    long own;
    long self;
    long total;
    private final Callers callers = new Callers();

    Times(Frame frame) {
      this.frame = frame;
    }

    /** The own methods through which most of it came. */
    String calledFrom(int row) {
      return callers.most(row);
    }
  }

  private final OwnCode ownCode;
  private final Map<Frame, Times> times = new HashMap<>();
  private final Map<Frame, Times> classes = new HashMap<>();
  private long whole;

  MethodTimes(OwnCode ownCode) {
    this.ownCode = ownCode;
  }

  /** Adds the values of a graph, which include the nodes below. */
  void add(FlameTree tree, IntToLongFunction value) {
    whole += value.applyAsLong(0);
    long[] self = new long[tree.size()];
    for (int node = tree.size() - 1; node > 0; node--) {
      if (tree.frame(node).isClass()) {
        classes.computeIfAbsent(tree.frame(node), Times::new).self += value.applyAsLong(node);
      } else {
        self[node] += value.applyAsLong(node);
        self[tree.parent(node)] -= value.applyAsLong(node);
      }
    }
    self[0] += value.applyAsLong(0);
    int[] own = new int[tree.size()]; // the innermost at or above a node, or the root
    Callers.Paths paths = new Callers.Paths(tree, ownCode);
    for (int node = 0; node < tree.size(); node++) {
      // The root has samples without a stack.
      Frame frame = node == 0 ? new Frame("(no stack)", "", "") : tree.frame(node);
      if (frame.isClass() || (node == 0 && self[0] == 0)) {
        continue;
      }
      Times of = times.computeIfAbsent(frame, Times::new);
      of.self += self[node];
      if (node > 0) {
        own[node] = ownCode.isOwn(frame) ? node : own[tree.parent(node)];
      }
      if (own[node] != node) {
        of.callers.add(paths, node, self[node]);
      }
      if (own[node] > 0) {
        Times owner = times.computeIfAbsent(tree.frame(own[node]), Times::new);
        owner.own += self[node];
        owner.callers.add(paths, own[node], self[node]);
      }
      if (!isBelowItself(tree, node)) {
        of.total += node == 0 ? self[0] : value.applyAsLong(node);
      }
    }
  }

  private static boolean isBelowItself(FlameTree tree, int node) {
    for (int above = tree.parent(node); above > 0; above = tree.parent(above)) {
      if (tree.frame(above).equals(tree.frame(node))) {
        return true;
      }
    }
    return false;
  }

  /** Of all graphs. */
  long whole() {
    return whole;
  }

  /** Of own code. */
  long own() {
    return times.values().stream().mapToLong(one -> one.own).sum();
  }

  Times of(Frame frame) {
    return times.getOrDefault(frame, new Times(frame));
  }

  /** Whether it is nothing but a way that all samples take. */
  boolean isShared(Times one) {
    return one.total == whole && one.self == 0 && one.own == 0 && !ownCode.isOwn(one.frame);
  }

  /** Those with the largest values first. */
  List<Times> sorted(ToLongFunction<Times> value) {
    return sorted(times, value);
  }

  /** The classes of what was allocated or locked, the most first. */
  List<Times> classes() {
    return sorted(classes, one -> one.self).stream().filter(one -> one.self > 0).toList();
  }

  private static List<Times> sorted(Map<Frame, Times> times, ToLongFunction<Times> value) {
    List<Times> sorted = new ArrayList<>(times.values());
    sorted.sort(
        Comparator.comparingLong(value)
            .reversed()
            .thenComparingLong(one -> -one.self)
            .thenComparingLong(one -> -one.total)
            .thenComparing(one -> one.frame.name()));
    return sorted;
  }
}
