/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.results;

import java.util.Comparator;

/** The CPU time that samples found in this line of a function, not below it. */
public record LineTime(Frame frame, int line, long cpuNanos) {

  /** The order of the lines of a graph. */
  public static final Comparator<LineTime> LARGEST_FIRST =
      Comparator.comparingLong((LineTime one) -> -one.cpuNanos)
          .thenComparing(one -> one.frame.name())
          .thenComparingInt(LineTime::line);
}
