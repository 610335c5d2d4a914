/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The trace state of a local root span and of all spans below it in this process. To all other code
 * it looks like the state that it wraps, except that {@code state.equals(this)} is false: the SDK's
 * state compares classes. The SDK passes the object unchanged from each span to its children, so it
 * leads from each span to its local root. Immutable.
 */
public final class LocalRootTraceState implements TraceState {
  private final TraceState state;
  private final LocalRoot root;

  /** Wraps a state, and refers to a local root. */
  public LocalRootTraceState(TraceState state, LocalRoot root) {
    this.state = withoutRoot(state);
    this.root = root;
  }

  private static TraceState withoutRoot(TraceState state) {
    return state instanceof LocalRootTraceState ? ((LocalRootTraceState) state).state : state;
  }

  /** Returns the local root of a span, or null if it is not known. */
  public static @Nullable LocalRoot rootOf(SpanContext span) {
    return rootOf(span.getTraceState());
  }

  /** Returns the local root to which a trace state refers, or null. */
  public static @Nullable LocalRoot rootOf(TraceState state) {
    return state instanceof LocalRootTraceState ? ((LocalRootTraceState) state).root : null;
  }

  @Override
  public @Nullable String get(String key) {
    return state.get(key);
  }

  @Override
  public int size() {
    return state.size();
  }

  @Override
  public boolean isEmpty() {
    return state.isEmpty();
  }

  @Override
  public void forEach(BiConsumer<String, String> consumer) {
    state.forEach(consumer);
  }

  @Override
  public Map<String, String> asMap() {
    return state.asMap();
  }

  /** Returns a builder of the wrapped state, without the local root. */
  @Override
  public TraceStateBuilder toBuilder() {
    return state.toBuilder();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TraceState && state.equals(withoutRoot((TraceState) other));
  }

  @Override
  public int hashCode() {
    return state.hashCode();
  }

  @Override
  public String toString() {
    return state.toString();
  }
}
