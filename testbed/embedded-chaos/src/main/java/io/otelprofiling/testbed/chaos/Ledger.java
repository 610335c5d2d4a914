/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.testbed.chaos;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.otelprofiling.embedded.JoinedSample;
import io.otelprofiling.embedded.JoinedSamples;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counts exported spans, and judges whether their stack trace ids are of their endpoint. */
final class Ledger implements SpanExporter, JoinedSamples {
  private static final AttributeKey<List<String>> IDS =
      AttributeKey.stringArrayKey("elastic.profiler_stack_trace_ids");

  final AtomicLong spans = new AtomicLong();
  final AtomicLong ids = new AtomicLong();
  final AtomicLong right = new AtomicLong();
  final AtomicLong wrong = new AtomicLong();

  private final Map<String, Integer> endpoints = new ConcurrentHashMap<>(); // by id

  @Override
  public void onJoined(List<JoinedSample> samples, long periodNanos) {
    for (JoinedSample sample : samples) {
      int endpoint = Endpoints.in(sample.stackTrace);
      if (endpoint != Endpoints.NONE) {
        byte[] id =
            ByteBuffer.allocate(16)
                .putLong(sample.stackTrace.idHigh)
                .putLong(sample.stackTrace.idLow)
                .array();
        endpoints.put(Base64.getUrlEncoder().withoutPadding().encodeToString(id), endpoint);
      }
    }
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> exported) {
    for (SpanData span : exported) {
      spans.incrementAndGet();
      List<String> ofSpan = span.getAttributes().get(IDS);
      if (ofSpan != null) {
        ofSpan.forEach(id -> judge(span, id));
      }
    }
    return CompletableResultCode.ofSuccess();
  }

  private void judge(SpanData span, String id) {
    ids.incrementAndGet();
    Integer endpoint = endpoints.get(id);
    if (endpoint != null) {
      (span.getName().equals(endpoint.toString()) ? right : wrong).incrementAndGet();
    }
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
