/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Writes durations with three digits, as format.js does. */
public final class Durations {
  private static final String[] UNITS = {"h", "min", "s", "ms", "µs", "ns"};
  private static final double[] NANOS = {3600e9, 60e9, 1e9, 1e6, 1e3, 1};

  private static final MathContext THREE_DIGITS = new MathContext(3);

  private Durations() {}

  public static String text(double nanos) {
    int unit = 0;
    while (unit < NANOS.length - 1 && nanos < NANOS[unit] * (unit < 2 ? 2 : 1)) {
      unit++;
    }
    double value = new BigDecimal(nanos / NANOS[unit]).round(THREE_DIGITS).doubleValue();
    if (unit == NANOS.length - 1 || nanos / NANOS[unit] >= 100) {
      value = Math.round(nanos / NANOS[unit]);
    }
    int digits = value >= 100 || NANOS[unit] == 1 ? 0 : value >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%,." + digits + "f %s", value, UNITS[unit]);
  }
}
