/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.otlp;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A trace state that says that a service before this one records the trace, although this one does
 * not. It is kept here because nothing else of a span that is not recorded can hold it, and all
 * spans below get it from their parent. On the wire, it is the trace state that it wraps.
 */
public final class SampledByCaller implements TraceState {
  private final TraceState wrapped;

  private SampledByCaller(TraceState wrapped) {
    this.wrapped = wrapped;
  }

  /** Returns whether services behind this one are to record the trace of this span. */
  public static boolean isSampled(SpanContext span) {
    return span.isSampled() || span.getTraceState() instanceof SampledByCaller;
  }

  static TraceState mark(TraceState traceState) {
    return traceState instanceof SampledByCaller ? traceState : new SampledByCaller(traceState);
  }

  @Override
  public String get(String key) {
    return wrapped.get(key);
  }

  @Override
  public int size() {
    return wrapped.size();
  }

  @Override
  public boolean isEmpty() {
    return wrapped.isEmpty();
  }

  @Override
  public void forEach(BiConsumer<String, String> consumer) {
    wrapped.forEach(consumer);
  }

  @Override
  public Map<String, String> asMap() {
    return wrapped.asMap();
  }

  @Override
  public TraceStateBuilder toBuilder() {
    return wrapped.toBuilder();
  }

  @Override
  public String toString() {
    return "SampledByCaller{" + wrapped + "}";
  }
}
