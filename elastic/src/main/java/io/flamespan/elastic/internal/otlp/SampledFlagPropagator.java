/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.flamespan.elastic.internal.log.RecurringWarning;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Propagates the sampled flag of a trace unchanged, although this service does not record spans.
 * Downstream services continue to record a trace that upstream services record.
 */
final class SampledFlagPropagator implements TextMapPropagator {
  private final RecurringWarning warning = new RecurringWarning(SampledFlagPropagator.class);
  private final TextMapPropagator delegate;

  SampledFlagPropagator(TextMapPropagator delegate) {
    this.delegate = delegate;
  }

  @Override
  public <C> Context extract(Context context, @Nullable C carrier, TextMapGetter<C> getter) {
    return delegate.extract(context, carrier, getter);
  }

  @Override
  public <C> void inject(Context context, @Nullable C carrier, TextMapSetter<C> setter) {
    delegate.inject(withFlag(context), carrier, setter);
  }

  private Context withFlag(Context context) {
    try {
      SpanContext span = Span.fromContext(context).getSpanContext();
      return !span.isSampled() && SampledByCaller.isSampled(span)
          ? context.with(Span.wrap(sampled(span)))
          : context;
    } catch (Throwable e) {
      warning.log("A trace continues without its sampled flag", e);
      return context;
    }
  }

  private static SpanContext sampled(SpanContext span) {
    byte flags = (byte) (span.getTraceFlags().asByte() | TraceFlags.getSampled().asByte());
    return SpanContext.create(
        span.getTraceId(), span.getSpanId(), TraceFlags.fromByte(flags), span.getTraceState());
  }

  @Override
  public Collection<String> fields() {
    return delegate.fields();
  }

  @Override
  public String toString() {
    return "SampledFlagPropagator{" + delegate + "}";
  }
}
