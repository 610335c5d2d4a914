/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Passes everything on until a plug-in runs, and to the delaying processor of that one from then
 * on. Made by applications before they can know whether one will run. Safe for use by many threads.
 */
public final class LateSpanProcessor implements DelayingSpanProcessor {
  private final SpanProcessor downstream;
  private final Supplier<@Nullable UnaryOperator<SpanProcessor>> plugin;
  private volatile @Nullable SpanProcessor delaying;

  /**
   * Stands before a processor.
   *
   * @param plugin gives what makes a delaying processor, null while no plug-in runs
   */
  public LateSpanProcessor(
      SpanProcessor downstream, Supplier<@Nullable UnaryOperator<SpanProcessor>> plugin) {
    this.downstream = downstream;
    this.plugin = plugin;
  }

  private SpanProcessor target() {
    SpanProcessor known = delaying;
    if (known != null) {
      return known;
    }
    UnaryOperator<SpanProcessor> running = plugin.get();
    return running == null ? downstream : join(running);
  }

  private synchronized SpanProcessor join(UnaryOperator<SpanProcessor> running) {
    SpanProcessor known = delaying;
    if (known == null) {
      known = running.apply(downstream);
      delaying = known;
    }
    return known;
  }

  @Override
  public void onStart(Context parentContext, ReadWriteSpan span) {
    downstream.onStart(parentContext, span);
  }

  @Override
  public boolean isStartRequired() {
    return downstream.isStartRequired();
  }

  @Override
  public void onEnd(ReadableSpan span) {
    target().onEnd(span);
  }

  @Override
  public boolean isEndRequired() {
    return downstream.isEndRequired();
  }

  @Override
  public CompletableResultCode forceFlush() {
    return target().forceFlush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return target().shutdown();
  }

  @Override
  public String toString() {
    return "LateSpanProcessor{" + downstream + "}";
  }
}
