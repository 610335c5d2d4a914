/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.wrapping;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An ended span with additional attributes, among them its stack trace ids. It reports that its
 * processor reads it. The SDK's attribute limits do not apply to these attributes.
 *
 * <p>Source: Universal profiling integration, "Correlation attributes".
 */
public final class CorrelatedSpan implements ReadableSpan {
  /** The attribute with the stack trace ids, each as often as it was sampled. */
  public static final AttributeKey<List<String>> STACK_TRACE_IDS =
      AttributeKey.stringArrayKey("elastic.profiler_stack_trace_ids");

  static {
    CorrelatedSpanData.initialize(); // a class that is loaded late may not be there any more
  }

  private static final RateLimitedLogger logger = new RateLimitedLogger(CorrelatedSpan.class);

  private final ReadableSpan span;
  private final Attributes added;
  private final @Nullable LongConsumer whenRead;
  private final long number;

  /**
   * Creates a span.
   *
   * @param added may be empty
   * @param whenRead is told the number when the processor reads the span, on its thread; or null
   * @param number says which span this is
   */
  public CorrelatedSpan(
      ReadableSpan span, Attributes added, @Nullable LongConsumer whenRead, long number) {
    this.span = span;
    this.added = added;
    this.whenRead = whenRead;
    this.number = number;
  }

  /** Loads what the first span needs. Throws an Error if that is not there. */
  public static void initialize() {}

  @Override
  public SpanData toSpanData() {
    SpanData data = span.toSpanData();
    try {
      if (whenRead != null) {
        whenRead.accept(number);
      }
      if (added.isEmpty()) {
        return data;
      }
      return new CorrelatedSpanData(data, withAdded(data.getAttributes()));
    } catch (Throwable e) {
      // If this threw, the processor would lose the span, or a whole batch.
      logger.warn("A span is exported without its stack traces", e);
      return data;
    }
  }

  @Override
  public <T> @Nullable T getAttribute(AttributeKey<T> key) {
    for (AttributeKey<?> replaced : added.asMap().keySet()) {
      if (replaced.getKey().equals(key.getKey())) {
        return added.get(key);
      }
    }
    return span.getAttribute(key);
  }

  @Override
  public Attributes getAttributes() {
    return withAdded(span.getAttributes());
  }

  private Attributes withAdded(Attributes attributes) {
    return attributes.toBuilder().putAll(added).build();
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
    List<String> ids = added.get(STACK_TRACE_IDS);
    return "CorrelatedSpan{" + span + ", " + (ids == null ? 0 : ids.size()) + " stack trace ids}";
  }

  private static final class CorrelatedSpanData extends DelegatingSpanData {
    private final Attributes attributes;
    private final int totalAttributeCount;

    static void initialize() {}

    CorrelatedSpanData(SpanData data, Attributes attributes) {
      super(data);
      this.attributes = attributes;
      // Exporters report total minus present as dropped attributes, and that difference must not
      // change.
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
