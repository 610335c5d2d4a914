/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.wrapping;

import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.internal.ExtendedSpanProcessor;

/**
 * A delaying processor in front of a processor that modifies spans in {@code onEnding}. Because
 * that callback is an internal extension of the SDK, loading this class may fail with a {@link
 * LinkageError}.
 */
final class OnEndingForwarder extends ForwardingSpanProcessor
    implements PluginSpanProcessor, ExtendedSpanProcessor {
  private final SpanProcessor delaying;
  private final ExtendedSpanProcessor downstream;

  private OnEndingForwarder(SpanProcessor delaying, ExtendedSpanProcessor downstream) {
    this.delaying = delaying;
    this.downstream = downstream;
  }

  static PluginSpanProcessor of(PluginSpanProcessor delaying, SpanProcessor downstream) {
    return downstream instanceof ExtendedSpanProcessor
            && ((ExtendedSpanProcessor) downstream).isOnEndingRequired()
        ? new OnEndingForwarder(delaying, (ExtendedSpanProcessor) downstream)
        : delaying;
  }

  @Override
  public void onEnding(ReadWriteSpan span) {
    downstream.onEnding(span);
  }

  @Override
  public boolean isOnEndingRequired() {
    return true;
  }

  @Override
  protected SpanProcessor target() {
    return delaying;
  }

  @Override
  public String toString() {
    return delaying.toString();
  }
}
