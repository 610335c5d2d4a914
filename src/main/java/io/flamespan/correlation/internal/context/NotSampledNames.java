/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
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

  private final Map<String, Integer> numbers = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<@Nullable String> names =
      new AtomicReferenceArray<>(UNKNOWN + 1);
  private final AtomicInteger last = new AtomicInteger();

  NotSampledNames() {
    numbers.put("", UNKNOWN);
  }

  /** Returns the number of a name, which is not 0. */
  int numberOf(String name) {
    Integer known = numbers.get(name);
    if (known == null) {
      // With as many, another thread may have added this one as the last.
      known = numbers.size() > MAX ? numbers.get(name) : numbers.computeIfAbsent(name, this::add);
    }
    return known == null ? UNKNOWN : known;
  }

  private @Nullable Integer add(String name) {
    int number = last.incrementAndGet();
    if (number > MAX) { // other threads have added the last ones
      return null;
    }
    names.set(number, name);
    return number;
  }

  /** Returns the name with this number, or the empty text. */
  String nameOf(long number) {
    String name = number > 0 && number <= MAX ? names.get((int) number) : null;
    return name == null ? "" : name;
  }
}
