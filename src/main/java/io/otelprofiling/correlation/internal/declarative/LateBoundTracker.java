/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.declarative;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;

/**
 * A placeholder for the tracker, which is created only after the SDK, and only if the plug-in
 * starts.
 */
final class LateBoundTracker implements SpanProcessor {
  private volatile SpanProcessor tracker = SpanProcessor.composite();

  void begin(SpanProcessor tracker) {
    this.tracker = tracker;
  }

  @Override
  public void onStart(Context parentContext, ReadWriteSpan span) {
    tracker.onStart(parentContext, span);
  }

  @Override
  public boolean isStartRequired() {
    return true;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    tracker.onEnd(span);
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  @Override
  public CompletableResultCode forceFlush() {
    return tracker.forceFlush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return tracker.shutdown();
  }
}
