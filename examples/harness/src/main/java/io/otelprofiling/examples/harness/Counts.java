/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.harness;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Strings, each with how often it was added. */
public final class Counts {

  private final Map<String, Integer> counts = new TreeMap<>();
  private int total;

  /** Counts it once more. */
  public void add(String string) {
    counts.merge(string, 1, Integer::sum);
    total++;
  }

  /** All of them. */
  public int total() {
    return total;
  }

  /** How often it was added. */
  public int get(String string) {
    return counts.getOrDefault(string, 0);
  }

  /** The different strings, the most frequent first. */
  public List<String> byFrequency() {
    List<String> strings = new ArrayList<>(counts.keySet());
    strings.sort(Comparator.comparing(this::get).reversed());
    return strings;
  }

  /** What was added here more often than there; what is missing there, so to say. */
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
