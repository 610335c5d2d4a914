/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import org.jspecify.annotations.Nullable;

/**
 * By how much the requests of an endpoint differ in what a method has in itself, and with what it
 * calls.
 */
public final class MethodSpread {
  private final @Nullable Spread[] self = new Spread[Measure.COUNT]; // null until asked for
  private final @Nullable Spread[] total = new Spread[Measure.COUNT];

  public Spread self(Measure measure) {
    return spread(self, measure.ordinal());
  }

  /** Recursion counts once. */
  public Spread total(Measure measure) {
    return spread(total, measure.ordinal());
  }

  private static Spread spread(@Nullable Spread[] of, int measure) {
    Spread spread = of[measure];
    if (spread == null) {
      spread = new Spread();
      of[measure] = spread;
    }
    return spread;
  }

  /** Adds other requests. */
  public void add(MethodSpread other) {
    add(self, other.self);
    add(total, other.total);
  }

  private static void add(@Nullable Spread[] to, @Nullable Spread[] other) {
    for (int measure = 0; measure < Measure.COUNT; measure++) {
      Spread more = other[measure];
      if (more != null) {
        spread(to, measure).add(more);
      }
    }
  }
}
