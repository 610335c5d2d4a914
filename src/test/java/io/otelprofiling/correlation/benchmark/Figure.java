/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.benchmark;

import java.util.Locale;

/** One measured number, or the reason why there is none; as text, a line that programs can read. */
record Figure(String id, String text) {
  static Figure of(String id, double value, String unit, String detail) {
    return new Figure(id, String.format(Locale.ROOT, "%.2f %s %s", value, unit, detail));
  }

  static Figure notMeasured(String id, String reason) {
    return new Figure(id, "not-measured " + reason);
  }

  @Override
  public String toString() {
    return "FIGURE " + id + " " + text;
  }
}
