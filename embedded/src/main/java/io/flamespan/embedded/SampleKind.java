/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a sample measures. */
public enum SampleKind {
  /** CPU time. Each sample stands for one period. */
  CPU,

  /** Bytes that were allocated. */
  ALLOC,

  /** Time that a thread waited for a lock. */
  LOCK,

  /** Time in which a thread did not run. */
  WALL,

  /** Time in which a thread ran or was ready to. */
  RUNNABLE,

  /** Time in which the JVM has stopped all threads. */
  STOPPED,

  /** Time in which the kernel has stopped all threads, because the container may use no more. */
  THROTTLED,

  /** Time that a thread waited for a lock, by who held it. */
  HOLDER;

  /** The kinds of which amounts are counted as metrics. */
  public static final Set<SampleKind> OF_METRICS =
      Collections.unmodifiableSet(EnumSet.of(ALLOC, LOCK, WALL));

  /** The kinds that need no samples of threads. */
  static final Set<SampleKind> OF_ALL_THREADS =
      Collections.unmodifiableSet(EnumSet.of(STOPPED, THROTTLED));

  /**
   * Returns what the words of the setting ask for. CPU time is part of it, unless all the rest
   * needs no samples of threads. A wrong word, which the plug-in reports, asks for nothing else.
   */
  public static Set<SampleKind> of(Collection<String> words) {
    Set<SampleKind> found = EnumSet.noneOf(SampleKind.class);
    for (String word : words) {
      switch (word.toLowerCase(Locale.ROOT)) {
        case "cpu":
          found.add(CPU);
          break;
        case "alloc":
          found.add(ALLOC);
          break;
        case "lock":
          found.add(LOCK);
          break;
        case "wall":
          found.addAll(EnumSet.of(WALL, RUNNABLE));
          break;
        case "stops":
          found.addAll(OF_ALL_THREADS);
          break;
        case "holders":
          found.add(HOLDER);
          break;
        default:
          return EnumSet.of(CPU);
      }
    }
    if (found.isEmpty() || !OF_ALL_THREADS.containsAll(found)) {
      found.add(CPU);
    }
    return found;
  }

  /** Returns the name in small letters. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
