/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.model;

/** A local root span and the samples whose Link names it. */
public record Request(ReceivedSpan span, int link, Tally tally) {

  /** For {@link #link} if no sample names the span. */
  public static final int NO_LINK = -1;
}
