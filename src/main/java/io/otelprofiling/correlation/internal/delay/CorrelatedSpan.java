/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import java.util.List;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * An ended span with its stack trace ids as one more attribute, to which the SDK's attribute limits
 * do not apply.
 *
 * <p>Source: Universal profiling integration, "Correlation attributes".
 */
final class CorrelatedSpan implements ReadableSpan {
  static final AttributeKey<List<String>> STACK_TRACE_IDS =
      AttributeKey.stringArrayKey("elastic.profiler_stack_trace_ids");

  private static final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(CorrelatedSpan.class.getName()));

  private final ReadableSpan span;
  private final List<String> stackTraceIds;

  CorrelatedSpan(ReadableSpan span, List<String> stackTraceIds) {
    this.span = span;
    this.stackTraceIds = stackTraceIds;
  }

  @Override
  public SpanData toSpanData() {
    SpanData data = span.toSpanData();
    try {
      return new CorrelatedSpanData(data, withIds(data.getAttributes()));
    } catch (Throwable e) {
      failed(e); // a processor would lose the whole span, or a batch with it
      return data;
    }
  }

  @Override
  @SuppressWarnings("unchecked") // equal keys have equal types
  public <T> @Nullable T getAttribute(AttributeKey<T> key) {
    return STACK_TRACE_IDS.equals(key) ? (T) stackTraceIds : span.getAttribute(key);
  }

  @Override
  public Attributes getAttributes() {
    Attributes attributes = span.getAttributes();
    try {
      return withIds(attributes);
    } catch (Throwable e) {
      failed(e);
      return attributes;
    }
  }

  private static void failed(Throwable e) {
    logger.warn("A span is exported without its stack traces", e);
  }

  private Attributes withIds(Attributes attributes) {
    return attributes.toBuilder().put(STACK_TRACE_IDS, stackTraceIds).build();
  }

  @Override
  public SpanContext getSpanContext() {
    return span.getSpanContext();
  }

  @Override
  public SpanContext getParentSpanContext() {
    return span.getParentSpanContext();
  }

  @Override
  public String getName() {
    return span.getName();
  }

  @Override
  @Deprecated
  public io.opentelemetry.sdk.common.InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
    return span.getInstrumentationLibraryInfo();
  }

  @Override
  public InstrumentationScopeInfo getInstrumentationScopeInfo() {
    return span.getInstrumentationScopeInfo();
  }

  @Override
  public boolean hasEnded() {
    return span.hasEnded();
  }

  @Override
  public long getLatencyNanos() {
    return span.getLatencyNanos();
  }

  @Override
  public SpanKind getKind() {
    return span.getKind();
  }

  @Override
  public String toString() {
    return "CorrelatedSpan{" + span + ", " + stackTraceIds.size() + " stack trace ids}";
  }

  private static final class CorrelatedSpanData extends DelegatingSpanData {
    private final Attributes attributes;
    private final int totalAttributeCount;

    CorrelatedSpanData(SpanData data, Attributes attributes) {
      super(data);
      this.attributes = attributes;
      // Exporters report total minus present as dropped, and that number must not change.
      this.totalAttributeCount =
          data.getTotalAttributeCount() + attributes.size() - data.getAttributes().size();
    }

    @Override
    public Attributes getAttributes() {
      return attributes;
    }

    @Override
    public int getTotalAttributeCount() {
      return totalAttributeCount;
    }
  }
}
