/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic;

import io.opentelemetry.api.trace.SpanContext;
import io.otelprofiling.elastic.internal.tracing.SampleRateEntry;
import java.util.OptionalDouble;

/**
 * What Elastic's agents say in their entry of the trace state, {@code es=key:value;key:value}. Of
 * its attributes, only the sample rate is known, {@code s}.
 */
public final class ElasticTraceState {
  private ElasticTraceState() {}

  /**
   * Returns the rate, from 0 to 1, at which the root of this trace was sampled. It is empty if the
   * trace state has no rate, or one that is no such number.
   */
  public static OptionalDouble sampleRate(SpanContext span) {
    return SampleRateEntry.read(span.getTraceState());
  }
}
