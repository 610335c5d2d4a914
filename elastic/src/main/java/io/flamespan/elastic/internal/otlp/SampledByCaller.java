/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A trace state that marks a trace as recorded by an upstream service, although this service does
 * not record it. The trace state is the only part of an unrecorded span that can hold the mark, and
 * child spans inherit it. On the wire, it is identical to the trace state that it wraps.
 */
public final class SampledByCaller implements TraceState {
  private final TraceState wrapped;

  private SampledByCaller(TraceState wrapped) {
    this.wrapped = wrapped;
  }

  /** Returns whether downstream services should record the trace of this span. */
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
