/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

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
public class LocalRootTraceState implements TraceState {
  private static final TraceState NO_ENTRIES = TraceState.getDefault();

  private static final LocalRootTraceState DROPPED = new WithEntries(NO_ENTRIES, null, null);

  private final @Nullable LocalRoot root;

  private LocalRootTraceState(@Nullable LocalRoot root) {
    this.root = root;
  }

  private LocalRootTraceState() {
    this.root = LocalRoot.create(this);
  }

  /**
   * Wraps the state of a span that is a new local root.
   *
   * @param name the name of the span, or null if it is not kept
   */
  public static TraceState ofNewRoot(TraceState state, @Nullable String name) {
    TraceState entries = withoutRoot(state);
    if (name != null) {
      return new WithName(entries, name);
    }
    return isOfTheApi(entries) && entries.isEmpty()
        ? new LocalRootTraceState()
        : new WithEntries(entries);
  }

  /**
   * Wraps the state of a local root span that the sampler drops. Mostly allocates nothing without a
   * name. A state of another class is returned as it is: a sampler may recognize the spans that it
   * dropped by it.
   *
   * @param name the name of the span, or null if it is not kept
   */
  public static TraceState ofDroppedRoot(TraceState state, @Nullable String name) {
    TraceState entries = withoutRoot(state);
    if (!isOfTheApi(entries)) {
      return entries;
    }
    return name == null && entries.isEmpty() ? DROPPED : new WithEntries(entries, null, name);
  }

  private static boolean isOfTheApi(TraceState state) {
    return state.getClass() == NO_ENTRIES.getClass();
  }

  /** Returns a state of the same spans as the state of their parent. */
  public static TraceState below(TraceState parent, TraceState state) {
    return parent instanceof LocalRootTraceState
        ? ((LocalRootTraceState) parent).withEntriesOf(state)
        : state;
  }

  private TraceState withEntriesOf(TraceState other) {
    return other instanceof LocalRootTraceState
            && ((LocalRootTraceState) other).root == root
            && ((LocalRootTraceState) other).kept() == kept()
        ? other
        : new WithEntries(withoutRoot(other), root, kept());
  }

  private static TraceState withoutRoot(TraceState state) {
    return state instanceof LocalRootTraceState ? ((LocalRootTraceState) state).entries() : state;
  }

  /** Returns the state that this one looks like. */
  TraceState entries() {
    return NO_ENTRIES;
  }

  /**
   * Returns the first state of the local root, which refers weakly to it, or the name of a dropped
   * one.
   */
  @Nullable Object kept() {
    return this;
  }

  /** Returns the local root of a span, or null if it is not known. */
  public static @Nullable LocalRoot rootOf(SpanContext span) {
    return rootOf(span.getTraceState());
  }

  /** Returns the local root to which a trace state refers, or null. */
  public static @Nullable LocalRoot rootOf(TraceState state) {
    return state instanceof LocalRootTraceState ? ((LocalRootTraceState) state).root : null;
  }

  /**
   * Returns the name of the local root span that is not sampled and that a span belongs to, which
   * is empty if it was not kept. Returns null for other spans.
   */
  public static @Nullable String nameOfRootNotSampled(SpanContext span) {
    TraceState state = span.getTraceState();
    if (!(state instanceof LocalRootTraceState)) {
      return null;
    }
    LocalRoot root = ((LocalRootTraceState) state).root;
    if (root != null && (!root.isOpen() || root.isSampled() || !root.isOfTrace(span))) {
      return null;
    }
    Object kept = ((LocalRootTraceState) state).kept();
    if (kept instanceof WithName) {
      return ((WithName) kept).name;
    }
    return kept instanceof String ? (String) kept : "";
  }

  @Override
  public @Nullable String get(String key) {
    return entries().get(key);
  }

  @Override
  public int size() {
    return entries().size();
  }

  @Override
  public boolean isEmpty() {
    return entries().isEmpty();
  }

  @Override
  public void forEach(BiConsumer<String, String> consumer) {
    entries().forEach(consumer);
  }

  @Override
  public Map<String, String> asMap() {
    return entries().asMap();
  }

  /** Returns a builder of states that lead to the same local root. */
  @Override
  public TraceStateBuilder toBuilder() {
    return new Builder(entries().toBuilder());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TraceState && entries().equals(withoutRoot((TraceState) other));
  }

  @Override
  public int hashCode() {
    return entries().hashCode();
  }

  @Override
  public String toString() {
    return entries().toString();
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
      return withEntriesOf(contents.build());
    }
  }

  /** Most states have no entries, and live as long as a span waits; so only this one has fields. */
  private static class WithEntries extends LocalRootTraceState {
    private final TraceState entries;
    private final @Nullable Object kept; // the first state must exist as long as the others

    WithEntries(TraceState entries) {
      this.entries = entries;
      this.kept = this;
    }

    WithEntries(TraceState entries, @Nullable LocalRoot root, @Nullable Object kept) {
      super(root);
      this.entries = entries;
      this.kept = kept;
    }

    @Override
    TraceState entries() {
      return entries;
    }

    @Override
    @Nullable Object kept() {
      return kept;
    }
  }

  /** The first state of a local root span that is recorded and not sampled. */
  private static final class WithName extends WithEntries {
    private final String name;

    WithName(TraceState entries, String name) {
      super(entries);
      this.name = name;
    }
  }
}
