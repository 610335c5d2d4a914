/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;

/** A span processor that only wants to know of ended spans. */
public interface EndProcessor extends SpanProcessor {
  @Override
  default void onStart(Context parentContext, ReadWriteSpan span) {}

  @Override
  default boolean isStartRequired() {
    return false;
  }

  @Override
  default boolean isEndRequired() {
    return true;
  }
}
