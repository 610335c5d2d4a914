/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import io.flamespan.elastic.internal.log.RecurringWarning;
import io.flamespan.elastic.internal.settings.WildcardMatcher;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Copies baggage entries to attributes of each span that starts, with a prefix. Does not overwrite
 * attributes that the application has set, because the baggage may come from any caller.
 */
final class BaggageAttributes implements SpanProcessor {
  private static final String PREFIX = "baggage.";

  private final RecurringWarning warning = new RecurringWarning(BaggageAttributes.class);
  private final List<WildcardMatcher> keys;

  BaggageAttributes(List<WildcardMatcher> keys) {
    this.keys = keys;
  }

  @Override
  public void onStart(Context parentContext, ReadWriteSpan span) {
    try {
      Baggage baggage = Baggage.fromContext(parentContext);
      if (!baggage.isEmpty()) {
        attach(baggage, span);
      }
    } catch (Throwable e) {
      warning.log("Baggage is missing on a span", e);
    }
  }

  private void attach(Baggage baggage, ReadWriteSpan span) {
    Set<String> ofApplication = new HashSet<>();
    span.toSpanData().getAttributes().forEach((key, value) -> ofApplication.add(key.getKey()));
    baggage.forEach(
        (key, entry) -> {
          if (isSelected(key) && !ofApplication.contains(PREFIX + key)) {
            span.setAttribute(PREFIX + key, entry.getValue());
          }
        });
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
