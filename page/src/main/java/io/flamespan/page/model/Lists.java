/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;

/** Lists of numbers, one after the other in memory. */
final class Lists {
  private final IntArrayList starts = new IntArrayList();
  private final LongArrayList numbers = new LongArrayList();

  void begin() {
    starts.add(numbers.size());
  }

  /** Adds to the list that began last. */
  void add(long number) {
    numbers.add(number);
  }

  /** Changes the number that was added last. */
  void set(long number) {
    numbers.set(numbers.size() - 1, number);
  }

  int size() {
    return starts.size();
  }

  int size(int list) {
    int end = list + 1 < starts.size() ? starts.getInt(list + 1) : numbers.size();
    return end - starts.getInt(list);
  }

  long get(int list, int place) {
    return numbers.getLong(starts.getInt(list) + place);
  }

  boolean equalTo(Lists other) {
    return starts.equals(other.starts) && numbers.equals(other.numbers);
  }

  /** Of all lists. */
  int hash() {
    return 31 * starts.hashCode() + numbers.hashCode();
  }
}
