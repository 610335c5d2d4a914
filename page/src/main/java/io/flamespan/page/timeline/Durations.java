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
    double value = nanos / NANOS[unit];
    if (unit < NANOS.length - 1 && value < 100) {
      BigDecimal rounded = new BigDecimal(value).round(THREE_DIGITS);
      int wholeDigits = rounded.precision() - rounded.scale();
      return rounded.setScale(THREE_DIGITS.getPrecision() - wholeDigits) + " " + UNITS[unit];
    }
    long whole = Math.round(value);
    String text = whole < 1_000 ? Long.toString(whole) : String.format(Locale.ROOT, "%,d", whole);
    return text + " " + UNITS[unit];
  }
}
