/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.embedded;

/** What became of the samples so far. */
public final class EmbeddedCounts {
  /** Samples that were collected. */
  public long samples;

  /** Samples and waits that the profiler has no stack trace of, because it was busy. */
  public long skipped;

  /** Samples that were delivered for a span, and whose stacks are complete. */
  public long joined;

  /** Samples that were delivered for a span, but whose stacks do not lead to what called them. */
  public long broken;

  /** Samples of threads that worked for a local root span that is not sampled. */
  public long notSampled;

  /** Samples of threads that worked for no span. */
  public long withoutSpan;

  /** Samples of which it is not known what their thread worked for. */
  public long unjoined;

  /** How many of these are of virtual threads. */
  public long unjoinedVirtual;

  /** The CPU time of the process from the start of the profiler to the last comparison. */
  public long cpuMillis;

  /** How much of it the samples stand for. */
  public long sampledMillis;
}
