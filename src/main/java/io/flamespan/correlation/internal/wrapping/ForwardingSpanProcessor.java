/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.wrapping;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;

/** Passes all calls on to another processor, which may change. */
public abstract class ForwardingSpanProcessor implements SpanProcessor {
  /** Returns the processor that receives the next call. */
  protected abstract SpanProcessor target();

  @Override
  public void onStart(Context parentContext, ReadWriteSpan span) {
    target().onStart(parentContext, span);
  }

  @Override
  public boolean isStartRequired() {
    return target().isStartRequired();
  }

  @Override
  public void onEnd(ReadableSpan span) {
    target().onEnd(span);
  }

  @Override
  public boolean isEndRequired() {
    return target().isEndRequired();
  }

  @Override
  public CompletableResultCode forceFlush() {
    return target().forceFlush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return target().shutdown();
  }
}
