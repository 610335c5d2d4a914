/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import java.util.Arrays;

/**
 * By how much the requests of an endpoint differ in what a method has in itself, and with what it
 * calls.
 */
public final class MethodSpread {
  private final Spread[] self = spreads();
  private final Spread[] total = spreads();

  private static Spread[] spreads() {
    Spread[] spreads = new Spread[Measure.COUNT];
    Arrays.setAll(spreads, measure -> new Spread());
    return spreads;
  }

  public Spread self(Measure measure) {
    return self[measure.ordinal()];
  }

  /** Recursion counts once. */
  public Spread total(Measure measure) {
    return total[measure.ordinal()];
  }

  /** Adds other requests. */
  public void add(MethodSpread other) {
    for (int i = 0; i < Measure.COUNT; i++) {
      self[i].add(other.self[i]);
      total[i].add(other.total[i]);
    }
  }
}
