/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.stress;

import io.flamespan.correlation.stress.HostileSender.Sample;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests whose local root spans get messages while others flood the socket. Each root must be
 * exported with exactly the ids that the kernel accepted for it. Keeps nothing about checked spans,
 * so any growth is the plug-in's.
 */
final class AttackedTraffic implements SpanExporter {
  static final int MAX_IDS = 16_384;

  private static final AttributeKey<List<String>> STACK_TRACE_IDS =
      AttributeKey.stringArrayKey("elastic.profiler_stack_trace_ids");
  private static final int OPEN_AT_ONCE = 16;
  private static final long LIMIT_SECONDS = 300;

  private final Map<String, CompletableFuture<List<String>>> expected = new ConcurrentHashMap<>();
  final AtomicLong spans = new AtomicLong();
  final AtomicLong ids = new AtomicLong();
  final AtomicLong droppedIds = new AtomicLong();

  private record Request(Span root, CompletableFuture<List<Sample>> taken) {}

  /** Serves requests until the sender has sent enough. */
  void serve(CorrelatedSdk app, HostileSender sender) throws Exception {
    for (int round = 0; !sender.hasEnough() || round == 0; round++) {
      List<Request> requests = new ArrayList<>();
      for (int i = 0; i < OPEN_AT_ONCE; i++) {
        requests.add(begin(app.tracer(), sender));
      }
      for (Request request : requests) {
        // The kernel has accepted all messages for the span by now, so all must be on it.
        List<Sample> taken = request.taken.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        check(app, request.root, taken, round % 2 == 0);
        sender.gone(request.root);
      }
    }
  }

  private static Request begin(Tracer tracer, HostileSender sender) throws Exception {
    Span root = tracer.spanBuilder("request").setParent(Context.root()).startSpan();
    try (Scope scope = root.makeCurrent()) {
      Span child = tracer.spanBuilder("child").startSpan();
      try (Scope inner = child.makeCurrent()) {
        return new Request(root, sender.open(root));
      } finally {
        child.end();
      }
    }
  }

  private void check(CorrelatedSdk app, Span root, List<Sample> taken, boolean flush)
      throws Exception {
    CompletableFuture<List<String>> exported = new CompletableFuture<>();
    expected.put(root.getSpanContext().getSpanId(), exported);
    root.end();
    if (flush) {
      app.flush();
    }
    List<String> onSpan = awaitExport(app, exported);
    List<String> sent = whatHasToBeOnIt(taken);
    spans.incrementAndGet();
    ids.addAndGet(sent.size());
    if (!sorted(onSpan).equals(sorted(sent))) {
      throw new AssertionError(
          String.format(
              "%s has %d ids in place of %d; too many: %s; missing: %s",
              root.getSpanContext(),
              onSpan.size(),
              sent.size(),
              difference(onSpan, sent),
              difference(sent, onSpan)));
    }
  }

  /** Forged registrations may hold a span for a minute, but must not delay a flush. */
  private static List<String> awaitExport(
      CorrelatedSdk app, CompletableFuture<List<String>> exported) throws Exception {
    for (int second = 0; second < LIMIT_SECONDS; second++) {
      try {
        return exported.get(1, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        app.flush();
      }
    }
    throw new AssertionError("a span was not exported");
  }

  private List<String> whatHasToBeOnIt(List<Sample> taken) {
    List<String> result = new ArrayList<>();
    for (Sample sample : taken) {
      byte[] id = HexFormat.of().parseHex(sample.stackTraceId());
      String encoded = Base64.getUrlEncoder().withoutPadding().encodeToString(id);
      int added = Math.min(sample.count(), MAX_IDS - result.size());
      for (int i = 0; i < added; i++) {
        result.add(encoded);
      }
      droppedIds.addAndGet(sample.count() - added);
    }
    return result;
  }

  private static Map<String, Long> difference(List<String> ids, List<String> without) {
    Map<String, Long> counts = new TreeMap<>();
    ids.forEach(id -> counts.merge(id, 1L, Long::sum));
    without.forEach(id -> counts.merge(id, -1L, Long::sum));
    counts.values().removeIf(count -> count <= 0);
    return counts;
  }

  private static List<String> sorted(List<String> ids) {
    return ids.stream().sorted().toList();
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> batch) {
    for (SpanData span : batch) {
      CompletableFuture<List<String>> exported = expected.remove(span.getSpanId());
      if (exported != null) {
        List<String> ids = span.getAttributes().get(STACK_TRACE_IDS);
        exported.complete(ids == null ? List.of() : ids);
      } else if (span.getAttributes().get(STACK_TRACE_IDS) != null) {
        throw new AssertionError("ids on a span that should have none: " + span);
      }
    }
    return CompletableResultCode.ofSuccess();
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
