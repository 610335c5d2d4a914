/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.testbed.beside;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** An exporter that counts, in the process of the application. Takes the same time each request. */
final class Backend implements SpanExporter {
  static final String IDS = "elastic.profiler_stack_trace_ids";

  final AtomicLong requests = new AtomicLong();
  final AtomicLong spans = new AtomicLong();
  final AtomicLong roots = new AtomicLong();
  final AtomicLong rootsWithIds = new AtomicLong();

  private final long nanosEach;
  private final long unanswered;

  /** Creates an exporter that never answers the first requests, {@code unanswered} of them. */
  Backend(long microsEach, long unanswered) {
    this.nanosEach = TimeUnit.MICROSECONDS.toNanos(microsEach);
    this.unanswered = unanswered;
  }

  static boolean hasIds(SpanData span) {
    return span.getAttributes().get(AttributeKey.stringArrayKey(IDS)) != null;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> batch) {
    LockSupport.parkNanos(nanosEach);
    for (SpanData span : batch) {
      if (!span.getParentSpanContext().isValid()) {
        roots.incrementAndGet();
        rootsWithIds.addAndGet(hasIds(span) ? 1 : 0);
      }
    }
    spans.addAndGet(batch.size());
    return requests.incrementAndGet() > unanswered
        ? CompletableResultCode.ofSuccess()
        : new CompletableResultCode();
  }

  @Override
  public CompletableResultCode flush() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode shutdown() {
    return CompletableResultCode.ofSuccess();
  }
}
