/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.beside;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Span processors as applications write them. */
final class Processors {
  static final AttributeKey<Long> NUMBER = AttributeKey.longKey("number");

  /** Creates processors of this kind that export to a first backend, and some to a second one. */
  static List<SpanProcessor> of(String kind, SpanExporter first, SpanExporter second) {
    switch (kind) {
      case "batch":
        return List.of(batch(first));
      case "simple":
        return List.of(SimpleSpanProcessor.create(first));
      case "simple-wrapped":
        return List.of(new Wrapper(SimpleSpanProcessor.create(first)));
      case "two-batches":
        return List.of(batch(first), batch(second));
      case "composite-simple-batch":
        return List.of(SpanProcessor.composite(SimpleSpanProcessor.create(first), batch(second)));
      case "composite-batches":
        return List.of(SpanProcessor.composite(batch(first), batch(second)));
      case "filter": // drops every second trace
        return List.of(new Filter(batch(first), span -> number(span) % 2 == 0));
      case "filter-described":
        return List.of(new DescribedFilter(batch(first), span -> number(span) % 2 == 0));
      case "tail":
        return List.of(new TailSampler(batch(first)));
      case "periodic":
        return List.of(new PeriodicReader(first));
      default:
        throw new IllegalArgumentException(kind);
    }
  }

  private static BatchSpanProcessor batch(SpanExporter exporter) {
    return BatchSpanProcessor.builder(exporter).build();
  }

  private static long number(ReadableSpan span) {
    Long number = span.getAttribute(NUMBER);
    return number == null ? 0 : number;
  }

  /** Only delegates, as wrappers of many libraries do. */
  private static class Wrapper implements SpanProcessor {
    final SpanProcessor behind;

    Wrapper(SpanProcessor behind) {
      this.behind = behind;
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
      behind.onStart(parent, span);
    }

    @Override
    public boolean isStartRequired() {
      return behind.isStartRequired();
    }

    @Override
    public void onEnd(ReadableSpan span) {
      behind.onEnd(span);
    }

    @Override
    public boolean isEndRequired() {
      return true;
    }

    @Override
    public CompletableResultCode forceFlush() {
      return behind.forceFlush();
    }

    @Override
    public CompletableResultCode shutdown() {
      return behind.shutdown();
    }
  }

  private static class Filter extends Wrapper {
    private final Predicate<ReadableSpan> kept;

    Filter(SpanProcessor behind, Predicate<ReadableSpan> kept) {
      super(behind);
      this.kept = kept;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      if (kept.test(span)) {
        super.onEnd(span);
      }
    }
  }

  private static final class DescribedFilter extends Filter {
    DescribedFilter(SpanProcessor behind, Predicate<ReadableSpan> kept) {
      super(behind, kept);
    }

    @Override
    public String toString() {
      return "Filter{" + behind + "}";
    }
  }

  /** Keeps the spans of a trace until its root ends, and passes one trace in ten on. */
  private static final class TailSampler extends Wrapper {
    private final Map<String, Queue<ReadableSpan>> traces = new ConcurrentHashMap<>();

    TailSampler(SpanProcessor behind) {
      super(behind);
    }

    @Override
    public void onEnd(ReadableSpan span) {
      String trace = span.getSpanContext().getTraceId();
      traces.computeIfAbsent(trace, t -> new ConcurrentLinkedQueue<>()).add(span);
      if (!span.getParentSpanContext().isValid()) {
        Queue<ReadableSpan> spans = traces.remove(trace);
        if (number(span) % 10 == 0) {
          spans.forEach(super::onEnd);
        }
      }
    }
  }

  /** Has a queue, and exports what is in it each five seconds. */
  private static final class PeriodicReader implements SpanProcessor {
    private final Queue<ReadableSpan> queue = new ConcurrentLinkedQueue<>();
    private final ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread daemon = new Thread(task, "periodic-reader");
              daemon.setDaemon(true);
              return daemon;
            });
    private final SpanExporter exporter;

    PeriodicReader(SpanExporter exporter) {
      this.exporter = exporter;
      thread.scheduleAtFixedRate(this::read, 5, 5, TimeUnit.SECONDS);
    }

    private synchronized CompletableResultCode read() {
      List<SpanData> spans = new ArrayList<>();
      for (ReadableSpan span = queue.poll(); span != null; span = queue.poll()) {
        spans.add(span.toSpanData());
      }
      return spans.isEmpty() ? CompletableResultCode.ofSuccess() : exporter.export(spans);
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
      return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      queue.add(span);
    }

    @Override
    public boolean isEndRequired() {
      return true;
    }

    @Override
    public CompletableResultCode forceFlush() {
      return read();
    }

    @Override
    public CompletableResultCode shutdown() {
      thread.shutdown();
      return read();
    }
  }

  private Processors() {}
}
