/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
   * Returns what a value of the setting asks for. CPU time is always part of it. A wrong value,
   * which the plug-in reports, asks for nothing else.
   */
  public static Set<SampleKind> of(@Nullable String setting) {
    Set<SampleKind> found = EnumSet.of(CPU);
    for (String word : setting == null ? new String[0] : setting.split(",", -1)) {
      if (word.trim().isEmpty()) {
        continue;
      }
      try {
        found.add(valueOf(word.trim().toUpperCase(Locale.ROOT)));
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
