/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.ThreadKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The samples without a Link, by threads, and those after the end of their request. */
public final class Threads {
  private final Map<ThreadKey, Integer> numbers = new HashMap<>();
  private final List<ThreadKey> keys = new ArrayList<>();
  private final List<Tally> tallies = new ArrayList<>();
  private final StackSums sums = new StackSums();
  private final Tally tally = new Tally();

  /** Returns the number of the threads. */
  int add(ThreadKey key, int stack, Measure measure, long count, long amount) {
    Integer known = numbers.putIfAbsent(key, keys.size());
    int number = known == null ? keys.size() : known;
    if (known == null) {
      keys.add(key);
      tallies.add(new Tally());
    }
    tallies.get(number).add(measure, count, amount);
    tally.add(measure, count, amount);
    sums.add(number, stack, measure, count, amount);
    return number;
  }

  /** Of all threads. */
  Tally tally() {
    return tally;
  }

  public int size() {
    return keys.size();
  }

  public ThreadKey key(int number) {
    return keys.get(number);
  }

  public Tally tally(int number) {
    return tallies.get(number);
  }

  public StackSums sums() {
    return sums;
  }
}
