/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Measure;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import org.jspecify.annotations.Nullable;

/** Sums of samples by owner, which is a Link or a kind of threads, and stack: a row for each. */
public final class StackSums {
  static final int STACK_BITS = 28; // more than the limit of a tree of stacks needs
  private static final Measure[] MEASURES = Measure.values();

  private @Nullable Long2IntOpenHashMap rows = new Long2IntOpenHashMap();
  private final IntArrayList owners = new IntArrayList();
  private final IntArrayList stacks = new IntArrayList(); // with the measure above the stack's bits
  private final LongArrayList counts = new LongArrayList();
  private final LongArrayList amounts = new LongArrayList();

  @SuppressWarnings("NullAway")
  StackSums() {
    rows.defaultReturnValue(-1);
  }

  @SuppressWarnings("NullAway") // before they are sorted
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

  /**
   * Sorts the rows by owner, so that the rows of one are next to each other in memory. Returns the
   * first row of each owner, and the number of rows. No sums may be added afterwards.
   */
  int[] sortByOwner(int count) {
    rows = null;
    int[] starts = new int[count + 1];
    for (int row = 0; row < owners.size(); row++) {
      starts[owners.getInt(row) + 1]++;
    }
    for (int owner = 1; owner < starts.length; owner++) {
      starts[owner] += starts[owner - 1];
    }
    int[] to = new int[owners.size()];
    int[] next = starts.clone();
    for (int row = 0; row < to.length; row++) {
      to[row] = next[owners.getInt(row)]++;
    }
    move(owners, to);
    move(stacks, to);
    move(counts, to);
    move(amounts, to);
    return starts;
  }

  private static void move(IntArrayList list, int[] to) {
    int[] from = list.toIntArray();
    for (int row = 0; row < to.length; row++) {
      list.set(to[row], from[row]);
    }
  }

  private static void move(LongArrayList list, int[] to) {
    long[] from = list.toLongArray();
    for (int row = 0; row < to.length; row++) {
      list.set(to[row], from[row]);
    }
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
