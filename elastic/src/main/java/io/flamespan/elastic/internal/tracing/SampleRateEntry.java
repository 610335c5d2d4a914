/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import io.opentelemetry.api.trace.TraceState;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the sample rate in the trace state entry of Elastic's agents: {@code
 * es=s:0.5;key:value}.
 */
public final class SampleRateEntry {
  private static final String ENTRY = "es";
  private static final String ATTRIBUTE_SEPARATOR = ";";
  private static final String SAMPLE_RATE_PREFIX = "s:";
  private static final int MAX_ENTRY_LENGTH = 256;

  private SampleRateEntry() {}

  /** Returns the rate, from 0 to 1, or empty if the entry is missing or malformed. */
  public static OptionalDouble read(TraceState state) {
    return read(state.get(ENTRY));
  }

  private static OptionalDouble read(@Nullable String entry) {
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
    // The Java agent writes small rates as 1.0E-4. Other formats that Double accepts, such as 1d,
    // are not rates. The sign is checked for -0.0: other negative numbers are out of range.
    if (!text.startsWith("-")
        && text.chars().allMatch(c -> (c >= '0' && c <= '9') || ".eE+-".indexOf(c) >= 0)) {
      try {
        double rate = Double.parseDouble(text);
        return rate >= 0 && rate <= 1 ? OptionalDouble.of(rate) : OptionalDouble.empty();
      } catch (NumberFormatException e) {
        // malformed
      }
    }
    return OptionalDouble.empty();
  }

  /**
   * Returns the trace state with this rate. Keeps all other attributes and entries. Returns the
   * same trace state if the entry would become longer than 256 characters.
   */
  static TraceState write(TraceState state, String rate) {
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
