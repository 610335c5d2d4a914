/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;

/** The times of samples of CPU time, up to a limit, for files that show each sample. */
public final class Moments {
  private static final int MOST = 300_000;
  private static final long SECOND = 1_000_000_000;

  private final LongArrayList unixNanos = new LongArrayList();
  private final LongArrayList cpu = new LongArrayList();
  private final IntArrayList owners = new IntArrayList();
  private final IntArrayList stacks = new IntArrayList();
  private long leftOut;

  /** Whether it is a time, perhaps of a wrong clock. */
  static boolean isTime(long unixNanos) {
    return unixNanos >= SECOND && unixNanos / SECOND < Integer.MAX_VALUE;
  }

  /** The owner is the number of a Link, or of a kind of threads as {@code -1 - number}. */
  void add(int owner, int stack, long time, long cpuNanos) {
    if (owners.size() == MOST) {
      leftOut++;
      return;
    }
    unixNanos.add(time);
    cpu.add(cpuNanos);
    owners.add(owner);
    stacks.add(stack);
  }

  public int size() {
    return owners.size();
  }

  public long unixNanos(int moment) {
    return unixNanos.getLong(moment);
  }

  public long cpuNanos(int moment) {
    return cpu.getLong(moment);
  }

  public int owner(int moment) {
    return owners.getInt(moment);
  }

  /** A node of the tree of locations. */
  public int stack(int moment) {
    return stacks.getInt(moment);
  }

  public long leftOut() {
    return leftOut;
  }
}
