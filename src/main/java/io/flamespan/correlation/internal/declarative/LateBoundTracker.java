/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.declarative;

import io.flamespan.correlation.internal.wrapping.ForwardingSpanProcessor;
import io.opentelemetry.sdk.trace.SpanProcessor;

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
