/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.internal.ExtendedSpanProcessor;

/**
 * A delaying processor in front of a processor that modifies spans in {@code onEnding}. Because
 * that callback is an internal extension of the SDK, loading this class may fail with a {@link
 * LinkageError}.
 */
final class OnEndingForwarder implements PluginSpanProcessor, ExtendedSpanProcessor {
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
  public void onStart(Context parentContext, ReadWriteSpan span) {
    delaying.onStart(parentContext, span);
  }

  @Override
  public boolean isStartRequired() {
    return delaying.isStartRequired();
  }

  @Override
  public void onEnd(ReadableSpan span) {
    delaying.onEnd(span);
  }

  @Override
  public boolean isEndRequired() {
    return delaying.isEndRequired();
  }

  @Override
  public CompletableResultCode forceFlush() {
    return delaying.forceFlush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return delaying.shutdown();
  }

  @Override
  public String toString() {
    return delaying.toString();
  }
}
