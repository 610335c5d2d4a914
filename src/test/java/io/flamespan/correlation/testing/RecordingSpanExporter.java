/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the spans that it receives, like the exporter of another backend. */
public final class RecordingSpanExporter implements DirectExporter {
  public static final AttributeKey<List<String>> STACK_TRACE_IDS =
      AttributeKey.stringArrayKey("elastic.profiler_stack_trace_ids");

  private final List<SpanData> spans = new CopyOnWriteArrayList<>();
  public volatile boolean shutDown;

  /** Returns all exported spans, in the order of arrival. */
  public List<SpanData> spans() {
    return spans;
  }

  /** Returns the exported spans with the id of this span, in the order of arrival. */
  public List<SpanData> exported(Span span) {
    return spans.stream()
        .filter(data -> data.getSpanId().equals(span.getSpanContext().getSpanId()))
        .toList();
  }

  /**
   * Returns the stack trace ids of the only exported span with this span's id; empty if it lacks
   * the attribute.
   */
  public List<String> stackTraceIds(Span span) {
    List<SpanData> exported = exported(span);
    if (exported.size() != 1) {
      throw new AssertionError("exported " + exported.size() + " times: " + span);
    }
    List<String> ids = exported.get(0).getAttributes().get(STACK_TRACE_IDS);
    return ids == null ? List.of() : ids;
  }

  /** Forgets all exported spans. */
  public void clear() {
    spans.clear();
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> batch) {
    spans.addAll(batch);
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode shutdown() {
    shutDown = true;
    return CompletableResultCode.ofSuccess();
  }
}
