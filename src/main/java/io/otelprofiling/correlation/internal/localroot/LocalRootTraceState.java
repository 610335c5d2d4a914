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
 * leads from each span to its local root. A local root span that the sampler dropped has such a
 * state as well, but no local root. Immutable.
 */
public final class LocalRootTraceState implements TraceState {
  private static final LocalRootTraceState DROPPED =
      new LocalRootTraceState(TraceState.getDefault(), null, null);

  private static final Class<?> OF_THE_API = TraceState.getDefault().getClass();

  private final TraceState state;
  private final @Nullable LocalRoot root;

  // The first state of the local root, which refers weakly to it. It must exist as long as others.
  @SuppressWarnings("UnusedVariable")
  private final @Nullable Object first;

  /** Wraps a state, and refers to a local root. */
  public LocalRootTraceState(TraceState state, LocalRoot root) {
    this(state, root, root.get());
  }

  private LocalRootTraceState(TraceState state, @Nullable LocalRoot root, @Nullable Object first) {
    this.state = withoutRoot(state);
    this.root = root;
    this.first = first;
  }

  private LocalRootTraceState(TraceState state) {
    this.state = withoutRoot(state);
    this.root = new LocalRoot(this);
    this.first = this;
  }

  /** Wraps the state of a span that is a new local root. */
  public static TraceState ofNewRoot(TraceState state) {
    return new LocalRootTraceState(state);
  }

  /**
   * Wraps the state of a local root span that the sampler drops. Mostly allocates nothing. A state
   * of another class is returned as it is: a sampler may recognize the spans that it dropped by it.
   */
  public static TraceState ofDroppedRoot(TraceState state) {
    TraceState contents = withoutRoot(state);
    if (contents.getClass() != OF_THE_API) {
      return contents;
    }
    return contents.isEmpty() ? DROPPED : new LocalRootTraceState(contents, null, null);
  }

  /** Returns a state of the same spans as the state of their parent. */
  public static TraceState below(TraceState parent, TraceState state) {
    return parent instanceof LocalRootTraceState
        ? ((LocalRootTraceState) parent).withContentsOf(state)
        : state;
  }

  private TraceState withContentsOf(TraceState other) {
    return other instanceof LocalRootTraceState && ((LocalRootTraceState) other).root == root
        ? other
        : new LocalRootTraceState(other, root, first);
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

  /** Returns a builder of states that lead to the same local root. */
  @Override
  public TraceStateBuilder toBuilder() {
    return new Builder(state.toBuilder());
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

  private final class Builder implements TraceStateBuilder {
    private final TraceStateBuilder contents;

    Builder(TraceStateBuilder contents) {
      this.contents = contents;
    }

    @Override
    public TraceStateBuilder put(String key, String value) {
      contents.put(key, value);
      return this;
    }

    @Override
    public TraceStateBuilder remove(String key) {
      contents.remove(key);
      return this;
    }

    @Override
    public TraceState build() {
      return withContentsOf(contents.build());
    }
  }
}
