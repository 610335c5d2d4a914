/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Disturbs one process at random, sometimes in several ways at once. */
final class Chaos {
  private static final long LONGEST_PAUSE_MILLIS = 2_000;

  private final List<Disturbance> all;
  private final SplittableRandom random;
  private final Map<Disturbance, Long> present = new HashMap<>(); // and when each one ends
  private final Map<String, Integer> counts = new TreeMap<>();
  private final List<String> problems;

  Chaos(List<Disturbance> all, SplittableRandom random, List<String> problems) {
    this.all = all;
    this.random = random;
    this.problems = problems;
  }

  /** Disturbs until that time, then ends all disturbances that it has begun. */
  void run(Application application, long until) throws InterruptedException {
    while (System.nanoTime() < until && application.isAlive()) {
      long next = System.nanoTime() + random.nextLong(LONGEST_PAUSE_MILLIS) * 1_000_000;
      while (System.nanoTime() < Math.min(next, until)) {
        Thread.sleep(20);
        endDue(System.nanoTime());
      }
      begin(choose());
    }
    endDue(Long.MAX_VALUE);
  }

  private Disturbance choose() {
    int sum = all.stream().mapToInt(Disturbance::weight).sum();
    int place = random.nextInt(sum);
    for (Disturbance each : all) {
      place -= each.weight();
      if (place < 0) {
        return each;
      }
    }
    throw new AssertionError();
  }

  private void begin(Disturbance chosen) {
    // Only one of a kind at a time: two would end each other.
    if (present.keySet().stream().anyMatch(each -> isSameKind(each, chosen))) {
      return;
    }
    counts.merge(chosen.name(), 1, Integer::sum);
    take(chosen.begin(), chosen.name());
    if (chosen.maxMillis() > 0) {
      long millis = random.nextLong(50, chosen.maxMillis());
      present.put(chosen, System.nanoTime() + millis * 1_000_000);
    }
  }

  private static boolean isSameKind(Disturbance a, Disturbance b) {
    return word(a).equals(word(b));
  }

  private static String word(Disturbance disturbance) {
    return disturbance.name().split(" ")[0];
  }

  private void endDue(long now) {
    for (Map.Entry<Disturbance, Long> entry : new ArrayList<>(present.entrySet())) {
      if (now >= entry.getValue()) {
        present.remove(entry.getKey());
        take(entry.getKey().end(), "end of " + entry.getKey().name());
      }
    }
  }

  private void take(Disturbance.Step step, String name) {
    try {
      step.run();
    } catch (Exception e) {
      problems.add(name + ": " + e);
    }
  }

  Map<String, Integer> counts() {
    return counts;
  }
}
