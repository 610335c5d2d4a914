/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic;

import io.flamespan.elastic.internal.tracing.SampleRateEntry;
import io.opentelemetry.api.trace.SpanContext;
import java.util.OptionalDouble;

/**
 * Reads the trace state entry of Elastic's agents, {@code es=key:value;key:value}. The only known
 * attribute is the sample rate, {@code s}.
 */
public final class ElasticTraceState {
  private ElasticTraceState() {}

  /**
   * Returns the rate, from 0 to 1, at which the root of this trace was sampled, or empty if the
   * trace state does not contain a valid rate.
   */
  public static OptionalDouble sampleRate(SpanContext span) {
    return SampleRateEntry.read(span.getTraceState());
  }
}
