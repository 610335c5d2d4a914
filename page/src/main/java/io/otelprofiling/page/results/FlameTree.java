/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.results;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.List;

/**
 * A flame graph. Node 0 is the root, with all samples. The values of a node include those of its
 * children. A parent has a smaller number than its children.
 */
public final class FlameTree {
  private final IntArrayList parents = new IntArrayList();
  private final List<Frame> frames = new ArrayList<>();
  private final LongArrayList samples = new LongArrayList();
  private final LongArrayList cpu = new LongArrayList();
  private final LongArrayList waits = new LongArrayList();
  private final LongArrayList waitNanos = new LongArrayList();
  private long leftOut;

  public FlameTree(String title) {
    add(-1, new Frame(title, "", ""));
  }

  public int add(int parent, Frame frame) {
    parents.add(parent);
    frames.add(frame);
    samples.add(0);
    cpu.add(0);
    waits.add(0);
    waitNanos.add(0);
    return parents.size() - 1;
  }

  public void grow(
      int node, long moreSamples, long moreCpuNanos, long moreWaits, long moreWaitNanos) {
    samples.set(node, samples.getLong(node) + moreSamples);
    cpu.set(node, cpu.getLong(node) + moreCpuNanos);
    waits.set(node, waits.getLong(node) + moreWaits);
    waitNanos.set(node, waitNanos.getLong(node) + moreWaitNanos);
  }

  /** Adds to the number of frames that are too small to be shown. */
  public void leaveOut(long nodes) {
    leftOut += nodes;
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
    grow(
        node,
        other.samples(otherNode),
        other.cpuNanos(otherNode),
        other.waits(otherNode),
        other.waitNanos(otherNode));
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

  public long samples(int node) {
    return samples.getLong(node);
  }

  public long cpuNanos(int node) {
    return cpu.getLong(node);
  }

  public long waits(int node) {
    return waits.getLong(node);
  }

  public long waitNanos(int node) {
    return waitNanos.getLong(node);
  }

  public long leftOut() {
    return leftOut;
  }
}
