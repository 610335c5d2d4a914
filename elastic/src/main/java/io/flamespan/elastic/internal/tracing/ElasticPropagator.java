/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import io.flamespan.elastic.internal.log.RecurringWarning;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the header that Elastic's agents sent before {@code traceparent} existed. The header has
 * the lowest precedence: it is ignored if there is a valid {@code traceparent}, or if another
 * propagator has extracted a span context. It is never injected.
 *
 * <p>Also reads a {@code tracestate} that the W3C propagator rejects as a whole.
 */
final class ElasticPropagator implements TextMapPropagator {
  private static final String TRACE_PARENT = "traceparent";
  private static final String TRACE_STATE = "tracestate";
  private static final String LEGACY_TRACE_PARENT = "elastic-apm-traceparent";

  private final RecurringWarning warning = new RecurringWarning(ElasticPropagator.class);
  private final TextMapPropagator traceContext = W3CTraceContextPropagator.getInstance();
  private final boolean injecting;

  /**
   * Creates a propagator.
   *
   * @param injecting whether to inject the W3C headers. Must be false if the W3C propagator is also
   *     configured, because carriers such as gRPC's keep both values of a header
   */
  ElasticPropagator(boolean injecting) {
    this.injecting = injecting;
  }

  @Override
  public Collection<String> fields() {
    return injecting ? traceContext.fields() : Collections.emptyList();
  }

  @Override
  public <C> void inject(Context context, @Nullable C carrier, TextMapSetter<C> setter) {
    if (injecting) {
      try {
        traceContext.inject(context, carrier, setter);
      } catch (Throwable e) {
        warning.log("A trace could not be propagated", e);
      }
    }
  }

  @Override
  public <C> Context extract(Context context, @Nullable C carrier, TextMapGetter<C> getter) {
    try {
      SpanContext current = Span.fromContext(context).getSpanContext();
      if (current.isValid() && current.isRemote()) {
        return isOf(carrier, getter, current) ? withTraceState(context, carrier, getter) : context;
      }
      Context extracted = traceContext.extract(context, carrier, getter);
      // The propagator returns the same context if there is no valid header.
      if (extracted == context) {
        extracted = traceContext.extract(context, carrier, new LegacyNames<>(getter));
      }
      return extracted == context ? context : withTraceState(extracted, carrier, getter);
    } catch (Throwable e) {
      warning.log("The trace of a request could not be read", e);
      return context;
    }
  }

  /** Returns whether the span lacks a trace state and is the one that the carrier identifies. */
  private <C> boolean isOf(@Nullable C carrier, TextMapGetter<C> getter, SpanContext span) {
    if (!span.getTraceState().isEmpty() || isBlank(getter.get(carrier, TRACE_STATE))) {
      return false;
    }
    Context extracted = traceContext.extract(Context.root(), carrier, getter);
    SpanContext named = Span.fromContext(extracted).getSpanContext();
    return named.getTraceId().equals(span.getTraceId())
        && named.getSpanId().equals(span.getSpanId());
  }

  private static <C> Context withTraceState(
      Context extracted, @Nullable C carrier, TextMapGetter<C> getter) {
    SpanContext span = Span.fromContext(extracted).getSpanContext();
    String header = getter.get(carrier, TRACE_STATE);
    if (!span.getTraceState().isEmpty() || header == null || isBlank(header)) {
      return extracted;
    }
    SpanContext withState =
        SpanContext.createFromRemoteParent(
            span.getTraceId(),
            span.getSpanId(),
            span.getTraceFlags(),
            ElasticEntries.parse(header));
    return extracted.with(Span.wrap(withState));
  }

  private static boolean isBlank(@Nullable String header) {
    return header == null || header.trim().isEmpty();
  }

  @Override
  public String toString() {
    return "ElasticPropagator{injecting=" + injecting + "}";
  }

  /** Presents the old header under the new name. The trace state never had another name. */
  private static final class LegacyNames<C> implements TextMapGetter<C> {
    private final TextMapGetter<C> delegate;

    LegacyNames(TextMapGetter<C> delegate) {
      this.delegate = delegate;
    }

    @Override
    @SuppressWarnings("deprecation") // the oldest supported API requires it
    public Iterable<String> keys(C carrier) {
      return delegate.keys(carrier);
    }

    @Override
    public @Nullable String get(@Nullable C carrier, String key) {
      return delegate.get(carrier, legacy(key));
    }

    @Override
    public Iterator<String> getAll(@Nullable C carrier, String key) {
      return delegate.getAll(carrier, legacy(key));
    }

    private static String legacy(String key) {
      return key.equals(TRACE_PARENT) ? LEGACY_TRACE_PARENT : key;
    }
  }
}
