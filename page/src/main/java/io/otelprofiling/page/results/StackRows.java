/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.results;

/** Sums of samples, by their stacks. Several rows may have the same stack. */
@FunctionalInterface
public interface StackRows {
  void forEach(Visitor visitor);

  /** Receives the rows. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Receives a row.
     *
     * @param stack a node of the {@link StackTree}
     * @param bin the number of the bin of time, or -1, as flame graphs of all bins do not need it
     */
    void row(int stack, int bin, long samples, long cpuNanos, long waits, long waitNanos);
  }
}
