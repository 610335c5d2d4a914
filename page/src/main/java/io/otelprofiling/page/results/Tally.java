/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.results;

/**
 * A sum of samples of CPU time, their CPU time, samples of waits, and the length of these waits.
 */
public final class Tally {
  private long samples;
  private long cpuNanos;
  private long waits;
  private long waitNanos;

  public void add(long samples, long cpuNanos, long waits, long waitNanos) {
    this.samples += samples;
    this.cpuNanos += cpuNanos;
    this.waits += waits;
    this.waitNanos += waitNanos;
  }

  public void add(Tally other) {
    add(other.samples, other.cpuNanos, other.waits, other.waitNanos);
  }

  public boolean isEmpty() {
    return samples == 0 && waits == 0;
  }

  public boolean equalTo(Tally other) {
    return samples == other.samples
        && cpuNanos == other.cpuNanos
        && waits == other.waits
        && waitNanos == other.waitNanos;
  }

  public long samples() {
    return samples;
  }

  public long cpuNanos() {
    return cpuNanos;
  }

  public long waits() {
    return waits;
  }

  public long waitNanos() {
    return waitNanos;
  }
}
