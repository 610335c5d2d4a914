/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.log.Trouble;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Numbers for the names of local root spans that are not sampled, because native code keeps no
 * text. The first names have theirs for good, and all further ones share the number of the empty
 * text. Thread-safe. Allocates nothing for a name that has a number.
 */
final class NotSampledNames {
  /** How many names have a number of their own, from 1 on. */
  static final int MAX = 2_000;

  static final int UNKNOWN = MAX + 1;

  private static final String FULL =
      "Local root spans that are not sampled have more than "
          + MAX
          + " names: on virtual threads, samples of all further ones count without a name. Let names"
          + " have no ids, or set "
          + Settings.EMBEDDED_PROFILER_NOT_SAMPLED
          + " to false.";

  private final Map<String, Integer> numbers = new ConcurrentHashMap<>();
  private final String[] names = new String[MAX + 1]; // written before a number is known
  private volatile boolean isFull;

  NotSampledNames() {
    numbers.put("", UNKNOWN);
  }

  /** Returns the number of a name, which is not 0. */
  int numberOf(String name) {
    Integer known = numbers.get(name);
    if (known == null) {
      known = isFull ? numbers.get(name) : add(name); // which another thread may have added
    }
    return known == null ? UNKNOWN : known;
  }

  /** Adds a name, unless another thread has added it meanwhile. */
  @Nullable Integer add(String name) {
    boolean isFirstWithout = false;
    synchronized (this) {
      int number = numbers.size(); // from 1 on, as the empty text is there
      if (!numbers.containsKey(name) && number <= MAX) {
        names[number] = name;
        numbers.put(name, number);
      } else if (!numbers.containsKey(name)) {
        isFirstWithout = !isFull;
        isFull = true;
      }
    }
    if (isFirstWithout) {
      Trouble.warn(NotSampledNames.class, FULL);
    }
    return numbers.get(name);
  }

  /** Returns the name with this number, or the empty text. */
  String nameOf(long number) {
    String name = number > 0 && number <= MAX ? names[(int) number] : null;
    return name == null ? "" : name;
  }
}
