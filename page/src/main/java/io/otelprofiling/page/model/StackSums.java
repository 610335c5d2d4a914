/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import io.otelprofiling.page.results.Measure;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;

/** Sums of samples by owner, which is a Link or a kind of threads, and stack: a row for each. */
public final class StackSums {
  private static final int STACK_BITS = 28; // more than the limit of a tree of stacks needs
  private static final Measure[] MEASURES = Measure.values();

  private final Long2IntOpenHashMap rows = new Long2IntOpenHashMap();
  private final IntArrayList owners = new IntArrayList();
  private final IntArrayList stacks = new IntArrayList(); // with the measure above the stack's bits
  private final LongArrayList counts = new LongArrayList();
  private final LongArrayList amounts = new LongArrayList();

  StackSums() {
    rows.defaultReturnValue(-1);
  }

  void add(int owner, int stack, Measure measure, long count, long amount) {
    int of = measure.ordinal() << STACK_BITS | stack;
    long key = (long) owner << 32 | of;
    int row = rows.get(key);
    if (row < 0) {
      rows.put(key, owners.size());
      owners.add(owner);
      stacks.add(of);
      counts.add(count);
      amounts.add(amount);
    } else {
      grow(counts, row, count);
      grow(amounts, row, amount);
    }
  }

  private static void grow(LongArrayList list, int row, long by) {
    list.set(row, list.getLong(row) + by);
  }

  public int rows() {
    return owners.size();
  }

  public int owner(int row) {
    return owners.getInt(row);
  }

  /** A node of the tree of locations. */
  public int stack(int row) {
    return stacks.getInt(row) & (1 << STACK_BITS) - 1;
  }

  public Measure measure(int row) {
    return MEASURES[stacks.getInt(row) >> STACK_BITS];
  }

  public long count(int row) {
    return counts.getLong(row);
  }

  public long amount(int row) {
    return amounts.getLong(row);
  }
}
