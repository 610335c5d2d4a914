/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.elastic;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.elastic.settings.WildcardMatcher;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import java.util.List;
import java.util.logging.Logger;

/** Copies entries of the baggage to attributes of each span that starts, with a prefix. */
final class BaggageAttributes implements SpanProcessor {
  private static final String PREFIX = "baggage.";

  private final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(BaggageAttributes.class.getName()));
  private final List<WildcardMatcher> keys;

  BaggageAttributes(List<WildcardMatcher> keys) {
    this.keys = keys;
  }

  @Override
  public void onStart(Context parentContext, ReadWriteSpan span) {
    try {
      Baggage.fromContext(parentContext)
          .forEach(
              (key, entry) -> {
                if (isSelected(key)) {
                  span.setAttribute(PREFIX + key, entry.getValue());
                }
              });
    } catch (Throwable e) {
      logger.warn("Baggage is missing on a span", e);
    }
  }

  private boolean isSelected(String key) {
    for (WildcardMatcher matcher : keys) {
      if (matcher.matches(key)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isStartRequired() {
    return true;
  }

  @Override
  public void onEnd(ReadableSpan span) {}

  @Override
  public boolean isEndRequired() {
    return false;
  }

  @Override
  public String toString() {
    return "BaggageAttributes{keys=" + keys + "}";
  }
}
