/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.embedded;

import java.util.function.ObjLongConsumer;

/** What became of the samples so far. */
public final class EmbeddedCounts {
  /** Of a profiler that has not begun. */
  public static final EmbeddedCounts NONE = new EmbeddedCounts();

  /** Samples that were collected. */
  public long samples;

  /** Samples and waits that the profiler has no stack trace of, because it was busy. */
  public long skipped;

  /** Samples that were delivered for a span, and whose stacks are complete. */
  public long joined;

  /** Samples that were delivered for a span, but whose stacks do not lead to what called them. */
  public long broken;

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

  /** Passes all counts on, always in the same order. */
  public void forEach(ObjLongConsumer<String> counters) {
    counters.accept("embedded.samples", samples);
    counters.accept("embedded.skipped", skipped);
    counters.accept("embedded.joined", joined);
    counters.accept("embedded.broken", broken);
    counters.accept("embedded.without.span", withoutSpan);
    counters.accept("embedded.unjoined", unjoined);
    counters.accept("embedded.unjoined.virtual", unjoinedVirtual);
    counters.accept("embedded.cpu.ms", cpuMillis);
    counters.accept("embedded.sampled.ms", sampledMillis);
  }
}
