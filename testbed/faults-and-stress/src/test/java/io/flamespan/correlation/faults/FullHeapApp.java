/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.EndProcessor;
import io.flamespan.correlation.testing.FakeProfiler;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.logging.LoggingSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An application whose heap is full for a while, during which spans end and messages arrive. When
 * memory is available again, everything must work as before.
 */
final class FullHeapApp {
  private static final AttributeKey<List<String>> IDS =
      AttributeKey.stringArrayKey("elastic.profiler_stack_trace_ids");
  private static final int WAIT_SECONDS = 60;
  private static final String BATCH_WORKER = "BatchSpanProcessor_WorkerThread";

  private static volatile boolean full = true;
  private static volatile SpanContext latestWithId;
  private static final AtomicLong passedOn = new AtomicLong();

  private FullHeapApp() {}

  public static void main(String[] arguments) throws Exception {
    OpenTelemetrySdk sdk = start(arguments[1]);
    Tracer tracer = sdk.getTracer("test");
    Path socketDir = Path.of(System.getProperty(CorrelatedSdk.PREFIX + "socket.dir"));
    try (FakeProfiler profiler = FakeProfiler.of(socketDir)) {
      profiler.registration(20, "host");
      awaitSpanWithId(tracer, profiler); // loads the classes that both sides need
      Thread hog = new Thread(FullHeapApp::fillHeap);
      hog.start();
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[0]));
      long begun = 0;
      long failed = 0;
      while (System.nanoTime() - end < 0 || failed == 0) {
        try {
          begun++;
          endSpanWithMessage(tracer, profiler);
        } catch (Throwable e) {
          failed++; // the application's allocations also fail
        }
      }
      full = false;
      hog.join();
      awaitSpanWithId(tracer, profiler);
      boolean completes = !arguments[1].equals("batch") || hasThread(BATCH_WORKER);
      if (!completes) {
        System.out.println("the JVM has ended the SDK's batch thread");
      }
      CompletableResultCode flush = sdk.getSdkTracerProvider().forceFlush();
      check("flush", !completes || flush.join(1, TimeUnit.MINUTES).isSuccess());
      System.out.println(begun + " spans while the heap was full, passed on " + passedOn);
      CompletableResultCode shutdown = sdk.shutdown();
      check("shutdown", !completes || shutdown.join(1, TimeUnit.MINUTES).isSuccess());
    }
    System.out.println("survived");
    System.exit(0);
  }

  private static void check(String what, boolean holds) {
    if (!holds) {
      throw new IllegalStateException(what);
    }
  }

  private static boolean hasThread(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith(name));
  }

  private static OpenTelemetrySdk start(String kind) {
    SpanProcessor behind = new CountingProcessor(processor(kind));
    AutoConfiguredOpenTelemetrySdkBuilder builder = AutoConfiguredOpenTelemetrySdk.builder();
    if (kind.equals("added")) {
      builder.addTracerProviderCustomizer(
          (tracing, config) -> tracing.addSpanProcessor(ProfilingCorrelation.correlate(behind)));
    } else {
      builder.addSpanProcessorCustomizer(
          (exporting, config) -> {
            exporting.shutdown().join(1, TimeUnit.MINUTES);
            return behind;
          });
    }
    return builder.build().getOpenTelemetrySdk();
  }

  /** Returns an SDK span processor of this kind, to which the plug-in passes its spans. */
  private static SpanProcessor processor(String kind) {
    switch (kind) {
      case "batch":
        return BatchSpanProcessor.builder(LoggingSpanExporter.create()).build();
      case "simple":
        return SimpleSpanProcessor.create(LoggingSpanExporter.create());
      default:
        return SpanProcessor.composite();
    }
  }

  private static SpanContext endSpanWithMessage(Tracer tracer, FakeProfiler profiler) {
    Span span = tracer.spanBuilder("root").startSpan();
    SpanContext context = span.getSpanContext();
    try {
      profiler.correlation(context.getTraceId(), context.getSpanId(), FakeProfiler.STACK, 1);
    } finally {
      span.end();
    }
    return context;
  }

  private static void awaitSpanWithId(Tracer tracer, FakeProfiler profiler) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    SpanContext ended = endSpanWithMessage(tracer, profiler);
    while (!ended.equals(latestWithId)) {
      check("no span with an id for " + WAIT_SECONDS + " s", System.nanoTime() - deadline < 0);
      Thread.sleep(100);
      if (!ended.equals(latestWithId)) {
        ended = endSpanWithMessage(tracer, profiler);
      }
    }
  }

  private static void fillHeap() {
    Object[] latest = null;
    int size = 1 << 18;
    while (full) {
      try {
        Object[] next = new Object[size];
        next[0] = latest;
        latest = next;
      } catch (OutOfMemoryError e) {
        size = Math.max(2, size / 2);
      }
    }
    latest = null;
  }

  private static final class CountingProcessor implements EndProcessor {
    private final SpanProcessor delegate;

    CountingProcessor(SpanProcessor delegate) {
      this.delegate = delegate;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      passedOn.incrementAndGet();
      List<String> ids = span.getAttribute(IDS);
      if (ids != null && !ids.isEmpty()) {
        latestWithId = span.getSpanContext();
      }
      delegate.onEnd(span);
    }

    @Override
    public CompletableResultCode forceFlush() {
      return delegate.forceFlush();
    }

    @Override
    public CompletableResultCode shutdown() {
      return delegate.shutdown();
    }
  }
}
