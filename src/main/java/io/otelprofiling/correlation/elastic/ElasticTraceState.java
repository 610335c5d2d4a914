/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.elastic;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceState;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What Elastic's agents say in their entry of the trace state, {@code es=key:value;key:value}. Of
 * its attributes, only the sample rate is known, {@code s}.
 */
public final class ElasticTraceState {
  private static final String ENTRY = "es";
  private static final String ATTRIBUTE_SEPARATOR = ";";
  private static final String SAMPLE_RATE_PREFIX = "s:";
  private static final int MAX_ENTRY_LENGTH = 256;

  private ElasticTraceState() {}

  /**
   * Returns the rate, from 0 to 1, at which the root of this trace was sampled. It is empty if the
   * trace state has no rate, or one that is no such number.
   */
  public static OptionalDouble sampleRate(SpanContext span) {
    return sampleRate(span.getTraceState().get(ENTRY));
  }

  private static OptionalDouble sampleRate(@Nullable String entry) {
    if (entry == null) {
      return OptionalDouble.empty();
    }
    for (String attribute : entry.split(ATTRIBUTE_SEPARATOR, -1)) {
      if (attribute.startsWith(SAMPLE_RATE_PREFIX)) {
        return rate(attribute.substring(SAMPLE_RATE_PREFIX.length()));
      }
    }
    return OptionalDouble.empty();
  }

  private static OptionalDouble rate(String text) {
    // The Java agent writes small rates as 1.0E-4. What else Double reads, such as 1d, is no rate.
    // A sign would be that of -0.0, as no other negative number is one.
    if (!text.startsWith("-")
        && text.chars().allMatch(c -> (c >= '0' && c <= '9') || ".eE+-".indexOf(c) >= 0)) {
      try {
        double rate = Double.parseDouble(text);
        return rate >= 0 && rate <= 1 ? OptionalDouble.of(rate) : OptionalDouble.empty();
      } catch (NumberFormatException e) {
        // the same as no rate
      }
    }
    return OptionalDouble.empty();
  }

  /**
   * Returns the trace state with this rate, and with everything else that it has. If there is no
   * room for the rate, the trace state stays as it is.
   */
  static TraceState withSampleRate(TraceState state, String rate) {
    StringBuilder changed = new StringBuilder(SAMPLE_RATE_PREFIX).append(rate);
    String entry = state.get(ENTRY);
    if (entry != null) {
      for (String attribute : entry.split(ATTRIBUTE_SEPARATOR, -1)) {
        if (!attribute.isEmpty() && !attribute.startsWith(SAMPLE_RATE_PREFIX)) {
          changed.append(ATTRIBUTE_SEPARATOR).append(attribute);
        }
      }
    }
    if (changed.length() > MAX_ENTRY_LENGTH) {
      return state;
    }
    return state.toBuilder().put(ENTRY, changed.toString()).build();
  }
}
