/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.answers;

import io.otelprofiling.page.results.FlameTree;
import io.otelprofiling.page.results.Frame;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;

/**
 * The amounts of methods in flame graphs: in themselves, and with what they call. A recursion
 * counts once. The leaves that name classes are in a list of their own, and what they have is also
 * in the method above them.
 */
final class MethodTimes {
  static final class Times {
    final Frame frame;
    long self;
    long total;

    Times(Frame frame) {
      this.frame = frame;
    }
  }

  private final Map<Frame, Times> times = new HashMap<>();
  private final Map<Frame, Times> classes = new HashMap<>();

  /** Adds the values of a graph, which include those of the nodes below. */
  void add(FlameTree tree, IntToLongFunction value) {
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
    for (int node = 0; node < tree.size(); node++) {
      // The root has samples without a stack.
      Frame frame = node == 0 ? new Frame("(no stack)", "", "") : tree.frame(node);
      if (frame.isClass() || node == 0 && self[0] == 0) {
        continue;
      }
      Times of = times.computeIfAbsent(frame, Times::new);
      of.self += self[node];
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

  /** Those with the most in themselves first. */
  List<Times> sorted() {
    return sorted(times);
  }

  /** The classes of what was allocated or locked, the most first. */
  List<Times> classes() {
    return sorted(classes).stream().filter(one -> one.self > 0).toList();
  }

  private static List<Times> sorted(Map<Frame, Times> times) {
    List<Times> sorted = new ArrayList<>(times.values());
    sorted.sort(
        Comparator.comparingLong((Times one) -> -one.self)
            .thenComparingLong(one -> -one.total)
            .thenComparing(one -> one.frame.name()));
    return sorted;
  }
}
