/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lists of numbers, one after the other in memory. */
final class Lists {
  private final IntArrayList starts = new IntArrayList();
  private final IntArrayList small = new IntArrayList(); // until one is larger
  private @Nullable LongArrayList numbers;

  void begin() {
    starts.add(total());
  }

  private int total() {
    return numbers == null ? small.size() : numbers.size();
  }

  /** Adds to the list that began last. */
  void add(long number) {
    if (numbers == null && number == (int) number) {
      small.add((int) number);
    } else {
      large().add(number);
    }
  }

  /** Changes the number that was added last. */
  void set(long number) {
    if (numbers == null && number == (int) number) {
      small.set(small.size() - 1, (int) number);
    } else {
      large().set(total() - 1, number);
    }
  }

  private LongArrayList large() {
    LongArrayList all = numbers;
    if (all == null) {
      all = new LongArrayList(2 * small.size());
      for (int i = 0; i < small.size(); i++) {
        all.add(small.getInt(i));
      }
      numbers = all;
      small.clear();
      small.trim();
    }
    return all;
  }

  int size() {
    return starts.size();
  }

  int size(int list) {
    int end = list + 1 < starts.size() ? starts.getInt(list + 1) : total();
    return end - starts.getInt(list);
  }

  long get(int list, int place) {
    int at = starts.getInt(list) + place;
    return numbers == null ? small.getInt(at) : numbers.getLong(at);
  }

  boolean equalTo(Lists other) {
    return starts.equals(other.starts)
        && small.equals(other.small)
        && Objects.equals(numbers, other.numbers);
  }

  /** Of all lists. */
  int hash() {
    return Objects.hash(starts, small, numbers);
  }

  /** Frees the memory that further numbers would take. */
  void trim() {
    starts.trim();
    small.trim();
    if (numbers != null) {
      numbers.trim();
    }
  }
}
