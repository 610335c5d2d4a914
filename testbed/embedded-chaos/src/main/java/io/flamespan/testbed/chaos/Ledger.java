/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.chaos;

import io.flamespan.embedded.JoinedSample;
import io.flamespan.embedded.JoinedSamples;
import io.flamespan.embedded.SampleKind;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts exported spans, and judges whether their stack trace ids are of their endpoint, and so are
 * their samples of other kinds than CPU time.
 */
final class Ledger implements SpanExporter, JoinedSamples {
  private static final AttributeKey<List<String>> IDS =
      AttributeKey.stringArrayKey("elastic.profiler_stack_trace_ids");

  final AtomicLong spans = new AtomicLong();
  final AtomicLong ids = new AtomicLong();
  final AtomicLong right = new AtomicLong();
  final AtomicLong wrong = new AtomicLong();

  /** Kinds whose samples are ids on spans, or not of async-profiler. */
  private static final Set<SampleKind> NOT_OTHERS = EnumSet.of(SampleKind.CPU, SampleKind.HOLDER);

  /** Samples of other kinds that belong to a span. */
  final AtomicLong others = new AtomicLong();

  /** Waits of requests with the thread that held the lock. */
  final AtomicLong held = new AtomicLong();

  final Map<String, Integer> judged = new ConcurrentSkipListMap<>(); // by kind and verdict

  private final Map<String, Integer> endpoints = new ConcurrentHashMap<>(); // by id
  private final Map<Long, Integer> running = new ConcurrentHashMap<>(); // by local root span

  /** Must be called when a request has begun. */
  void begin(SpanContext root, int endpoint) {
    running.put(Long.parseUnsignedLong(root.getSpanId(), 16), endpoint);
  }

  @Override
  public void onJoined(List<JoinedSample> samples, long periodNanos) {
    for (JoinedSample sample : samples) {
      if (sample.work != null && !NOT_OTHERS.contains(sample.kind)) {
        others.incrementAndGet();
      }
      if (sample.holder != null && !sample.holder.threadName.isEmpty()) {
        held.incrementAndGet();
      }
      int endpoint = Endpoints.in(sample.stackTrace);
      if (endpoint != Endpoints.NONE) {
        byte[] id =
            ByteBuffer.allocate(16)
                .putLong(sample.stackTrace.idHigh)
                .putLong(sample.stackTrace.idLow)
                .array();
        judgeOther(sample, endpoint);
        endpoints.put(Base64.getUrlEncoder().withoutPadding().encodeToString(id), endpoint);
      }
    }
  }

  private void judgeOther(JoinedSample sample, int endpoint) {
    if (sample.work == null || sample.kind == SampleKind.CPU) {
      return;
    }
    Integer ofSpan = running.get(sample.work.localRootSpanId);
    if (ofSpan != null) { // it was not exported yet
      boolean isRight = ofSpan == endpoint;
      (isRight ? right : wrong).incrementAndGet();
      judged.merge(sample.kind + (isRight ? " right" : " wrong"), 1, Integer::sum);
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
      running.remove(Long.parseUnsignedLong(span.getSpanId(), 16));
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
