/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.flamespan.correlation.internal.log.Shortened;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Numbers for the names of local root spans that are not sampled, because native code keeps no
 * text. The first names keep theirs for good, and further ones get none. Thread-safe. Takes no lock
 * for a name that is known, and none once all numbers are given.
 */
final class NotSampledNames {
  static final int UNKNOWN = 0;
  static final int COUNT = 1_000;

  /** A name is kept with each of its samples, and here. */
  private static final int MAX_LENGTH = 128;

  private final Map<String, Integer> numbers = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<@Nullable String> names =
      new AtomicReferenceArray<>(COUNT + 1);
  private volatile boolean isFull;

  static String shortened(String name) {
    return Shortened.to(MAX_LENGTH, name);
  }

  /** Returns the number of a name, or {@link #UNKNOWN}. */
  int numberOf(@Nullable String name) {
    if (name == null) {
      return UNKNOWN;
    }
    String shortened = shortened(name);
    Integer known = numbers.get(shortened);
    return known != null ? known : isFull ? UNKNOWN : add(shortened);
  }

  private synchronized int add(String name) {
    Integer known = numbers.get(name);
    if (known != null) {
      return known;
    }
    int next = numbers.size() + 1;
    if (next > COUNT) {
      isFull = true;
      return UNKNOWN;
    }
    names.set(next, name);
    numbers.put(name, next);
    return next;
  }

  /** Returns the name with a number, or an empty text for any other number. */
  String nameOf(long number) {
    String name = number > UNKNOWN && number <= COUNT ? names.get((int) number) : null;
    return name == null ? "" : name;
  }
}
