/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import java.util.Locale;

/** A measured figure, or the reason why it could not be measured. */
record Figure(String id, Double value, String unit, String detail) {
  static Figure of(String id, double value, String unit, String detail) {
    return new Figure(id, value, unit, detail);
  }

  static Figure notMeasured(String id, String reason) {
    return new Figure(id, null, "", reason);
  }

  String amount() {
    return value == null
        ? "not measured"
        : String.format(Locale.ROOT, value >= 1000 ? "%,.0f %s" : "%.2f %s", value, unit);
  }
}
