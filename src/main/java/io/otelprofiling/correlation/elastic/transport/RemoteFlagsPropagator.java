/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.elastic.transport;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Sends the flags of a trace on as they came, although no span is recorded in between: services
 * behind this one go on recording a trace that the services before it record.
 */
final class RemoteFlagsPropagator implements TextMapPropagator {
  private static final ContextKey<SpanContext> REMOTE = ContextKey.named("elastic-remote-span");

  private final TextMapPropagator delegate;

  RemoteFlagsPropagator(TextMapPropagator delegate) {
    this.delegate = delegate;
  }

  @Override
  public <C> Context extract(Context context, @Nullable C carrier, TextMapGetter<C> getter) {
    Context extracted = delegate.extract(context, carrier, getter);
    SpanContext span = Span.fromContext(extracted).getSpanContext();
    return span.isRemote() && span.isSampled() ? extracted.with(REMOTE, span) : extracted;
  }

  @Override
  public <C> void inject(Context context, @Nullable C carrier, TextMapSetter<C> setter) {
    SpanContext span = Span.fromContext(context).getSpanContext();
    SpanContext remote = context.get(REMOTE);
    if (remote == null || span.isSampled() || !span.getTraceId().equals(remote.getTraceId())) {
      delegate.inject(context, carrier, setter);
      return;
    }
    SpanContext sampled =
        SpanContext.create(
            span.getTraceId(), span.getSpanId(), remote.getTraceFlags(), span.getTraceState());
    delegate.inject(context.with(Span.wrap(sampled)), carrier, setter);
  }

  @Override
  public Collection<String> fields() {
    return delegate.fields();
  }

  @Override
  public String toString() {
    return "RemoteFlagsPropagator{" + delegate + "}";
  }
}
