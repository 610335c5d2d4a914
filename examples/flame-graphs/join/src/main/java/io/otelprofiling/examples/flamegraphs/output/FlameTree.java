/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.output;

import io.otelprofiling.examples.flamegraphs.model.Frame;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.List;

/**
 * A flame graph. Node 0 is the root and stands for all samples; the values of a node include those
 * of its children; a parent has a smaller number than its children.
 */
final class FlameTree {
  private final IntArrayList parents = new IntArrayList();
  private final List<Frame> frames = new ArrayList<>();
  private final LongArrayList samples = new LongArrayList();
  private final LongArrayList cpu = new LongArrayList();
  private long leftOut;

  FlameTree(String title) {
    add(-1, new Frame(title, "", ""), 0, 0);
  }

  int add(int parent, Frame frame, long nodeSamples, long cpuNanos) {
    parents.add(parent);
    frames.add(frame);
    samples.add(nodeSamples);
    cpu.add(cpuNanos);
    return parents.size() - 1;
  }

  void grow(int node, long moreSamples, long moreCpuNanos) {
    samples.set(node, samples.getLong(node) + moreSamples);
    cpu.set(node, cpu.getLong(node) + moreCpuNanos);
  }

  /** Frames that are not shown by themselves, as they are small. */
  void leaveOut(long nodes) {
    leftOut += nodes;
  }

  /** Puts another graph below the root. */
  void graft(FlameTree other) {
    int[] numbers = new int[other.size()];
    for (int node = 0; node < other.size(); node++) {
      int parent = node == 0 ? 0 : numbers[other.parent(node)];
      numbers[node] = add(parent, other.frame(node), other.samples(node), other.cpuNanos(node));
    }
    grow(0, other.samples(0), other.cpuNanos(0));
    leftOut += other.leftOut;
  }

  int size() {
    return parents.size();
  }

  int parent(int node) {
    return parents.getInt(node);
  }

  Frame frame(int node) {
    return frames.get(node);
  }

  long samples(int node) {
    return samples.getLong(node);
  }

  long cpuNanos(int node) {
    return cpu.getLong(node);
  }

  long leftOut() {
    return leftOut;
  }
}
