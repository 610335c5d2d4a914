/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.declarative;

import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.internal.wrapping.ForwardingSpanProcessor;

/**
 * A placeholder for the tracker, which is created only after the SDK, and only if the plug-in
 * starts.
 */
final class LateBoundTracker extends ForwardingSpanProcessor {
  private volatile SpanProcessor tracker = SpanProcessor.composite();

  void begin(SpanProcessor tracker) {
    this.tracker = tracker;
  }

  @Override
  protected SpanProcessor target() {
    return tracker;
  }

  @Override
  public boolean isStartRequired() {
    return true;
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }
}
