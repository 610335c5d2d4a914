/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.model;

/** A sum of samples and of the CPU time that they stand for. */
public final class Tally {
  private long samples;
  private long cpuNanos;

  public void add(long samples, long cpuNanos) {
    this.samples += samples;
    this.cpuNanos += cpuNanos;
  }

  public void add(Tally other) {
    add(other.samples, other.cpuNanos);
  }

  public long samples() {
    return samples;
  }

  public long cpuNanos() {
    return cpuNanos;
  }
}
