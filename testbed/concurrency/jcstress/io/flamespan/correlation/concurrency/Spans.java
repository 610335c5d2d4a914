/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.concurrency;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.concurrent.atomic.AtomicLong;

/** Creates SDK spans and contexts. Each has a different span id. */
public final class Spans {
  private static final long TRACE_ID_HIGH = 0x1234;
  private static final AtomicLong lastId = new AtomicLong();
  private static final Tracer tracer =
      SdkTracerProvider.builder()
          .setIdGenerator(new Counter())
          .addSpanProcessor(new Needed())
          .build()
          .get("concurrency");

  private Spans() {}

  /** Creates a sampled local root span of a new trace. */
  public static ReadableSpan root() {
    return (ReadableSpan) tracer.spanBuilder("root").setNoParent().startSpan();
  }

  /** Creates a sampled local root span in this trace, with a parent in another process. */
  public static ReadableSpan rootOf(String traceId) {
    SpanContext parent =
        SpanContext.createFromRemoteParent(
            traceId, "00000000000000ff", TraceFlags.getSampled(), TraceState.getDefault());
    return (ReadableSpan)
        tracer.spanBuilder("root").setParent(Context.root().with(Span.wrap(parent))).startSpan();
  }

  public static String newTraceId() {
    return TraceId.fromLongs(TRACE_ID_HIGH, lastId.incrementAndGet());
  }

  /** Creates a sampled context. */
  public static SpanContext context(String traceId, long spanId) {
    return SpanContext.create(
        traceId, SpanId.fromLong(spanId), TraceFlags.getSampled(), TraceState.getDefault());
  }

  private static final class Counter implements IdGenerator {
    @Override
    public String generateSpanId() {
      return SpanId.fromLong(lastId.incrementAndGet());
    }

    @Override
    public String generateTraceId() {
      return newTraceId();
    }
  }

  /** Without a processor, the SDK records no spans. The tests report spans themselves. */
  private static final class Needed implements SpanProcessor {
    @Override
    public void onStart(Context parentContext, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
      return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {}

    @Override
    public boolean isEndRequired() {
      return false;
    }
  }
}
