/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.util.Collection;
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

  /** Time in which a thread did not run. Each sample stands for one period. */
  WALL;

  /**
   * Returns what the words of the setting ask for. CPU time is always part of it. A wrong word,
   * which the plug-in reports, asks for nothing else.
   */
  public static Set<SampleKind> of(Collection<String> words) {
    Set<SampleKind> found = EnumSet.of(CPU);
    for (String word : words) {
      try {
        found.add(valueOf(word.toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        return EnumSet.of(CPU);
      }
    }
    return found;
  }

  /** Returns the word of the setting. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
