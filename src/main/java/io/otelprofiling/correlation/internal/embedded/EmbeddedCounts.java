/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.embedded;

/** What became of the samples so far. */
public final class EmbeddedCounts {
  /** Samples that were collected. */
  public final long samples;

  /** Samples that the profiler took no stack trace of, because it was busy. */
  public final long skipped;

  /** Samples that were delivered for a span. */
  public final long joined;

  /** Samples of threads that worked for no span. */
  public final long withoutSpan;

  /** Samples of which it is not known what their thread worked for. */
  public final long unjoined;

  /** How many of these are of virtual threads. */
  public final long unjoinedVirtual;

  /** Creates the counts. */
  public EmbeddedCounts(
      long samples,
      long skipped,
      long joined,
      long withoutSpan,
      long unjoined,
      long unjoinedVirtual) {
    this.samples = samples;
    this.skipped = skipped;
    this.joined = joined;
    this.withoutSpan = withoutSpan;
    this.unjoined = unjoined;
    this.unjoinedVirtual = unjoinedVirtual;
  }
}
