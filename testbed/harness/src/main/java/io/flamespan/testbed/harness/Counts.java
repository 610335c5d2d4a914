/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A multiset of strings: counts how often each was added. */
public final class Counts {

  private final Map<String, Integer> counts = new TreeMap<>();
  private int total;

  /** Adds the string once. */
  public void add(String string) {
    counts.merge(string, 1, Integer::sum);
    total++;
  }

  /** Returns the sum of all counts. */
  public int total() {
    return total;
  }

  /** Returns how often the string was added. */
  public int get(String string) {
    return counts.getOrDefault(string, 0);
  }

  /** Returns the distinct strings, most frequent first. */
  public List<String> byFrequency() {
    List<String> strings = new ArrayList<>(counts.keySet());
    strings.sort(Comparator.comparing(this::get).reversed());
    return strings;
  }

  /** Returns the strings that are missing there: added here more often than there. */
  public Counts without(Counts there) {
    Counts rest = new Counts();
    counts.forEach(
        (string, count) -> {
          for (int i = there.get(string); i < count; i++) {
            rest.add(string);
          }
        });
    return rest;
  }
}
