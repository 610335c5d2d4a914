/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.internal.runtime.WorkerBarrier;
import io.flamespan.correlation.scenarios.SampledTraces;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.RecordingLogRecordExporter;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An SDK with the plug-in, and the things that an application does with both. */
final class FaultedSdk {
  private static final String HOST = "host-of-the-profiler";
  private static final long LIMIT_SECONDS = 120;
  private static final int SHORT_DELAY_MILLIS = 20;
  private static final int LONG_DELAY_MILLIS = 5_000;

  private final FaultVerdict verdict;
  private final Path socketDir;
  private final RecordingSpanExporter exporter = new RecordingSpanExporter();
  private final RecordingSpanExporter added = new RecordingSpanExporter();
  private final RecordingLogRecordExporter logs = new RecordingLogRecordExporter();
  private final RecordedTelemetry telemetry = new RecordedTelemetry();
  private OpenTelemetrySdk sdk;
  private Tracer tracer;
  private FakeProfiler profiler;

  private FaultedSdk(FaultVerdict verdict, Path socketDir) {
    this.verdict = verdict;
    this.socketDir = socketDir;
  }

  /** Returns null if the SDK could not be built. The verdict then contains the reason. */
  static FaultedSdk start(FaultVerdict verdict, Path socketDir, Map<String, String> settings) {
    FaultedSdk started = new FaultedSdk(verdict, socketDir);
    verdict.attempt("start", () -> started.build(settings));
    return started.sdk == null ? null : started;
  }

  private void build(Map<String, String> settings) throws IOException {
    sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .setServiceClassLoader(FaultedSdk.class.getClassLoader())
            .addPropertiesSupplier(() -> settings)
            .addSpanExporterCustomizer((unused, properties) -> exporter)
            .addMetricExporterCustomizer((unused, properties) -> telemetry.new Metrics())
            .addLogRecordExporterCustomizer((unused, properties) -> logs)
            .addTracerProviderCustomizer(
                (tracing, properties) ->
                    tracing.addSpanProcessor(
                        ProfilingCorrelation.correlate(SimpleSpanProcessor.create(added))))
            .build()
            .getOpenTelemetrySdk();
    tracer = sdk.getTracer("test");
    // Another thread may be deleting the socket of a start that has failed.
    for (Path socket : FakeProfiler.sockets(socketDir)) {
      profiler = FakeProfiler.to(socket);
    }
  }

  /** Waits for the worker's tasks after the start. */
  void awaitStarted() {
    verdict.attempt("tasks of the start", WorkerBarrier::awaitTasks);
    flush();
  }

  void flush() {
    verdict.attempt("flush", () -> finished("flush", sdk.getSdkTracerProvider().forceFlush()));
  }

  private void finished(String step, CompletableResultCode result) {
    verdict.require(step + " ends", result.join(LIMIT_SECONDS, TimeUnit.SECONDS).isDone());
  }

  private interface Sending {
    void to(FakeProfiler profiler);
  }

  private void send(Sending message) {
    if (profiler != null) {
      try {
        message.to(profiler);
      } catch (RuntimeException e) {
        verdict.feature("the socket takes messages", false);
      }
    }
  }

  void work() {
    send(to -> to.registration(SHORT_DELAY_MILLIS, HOST));
    flush();
    Span first = root("first", SpanContext.getInvalid());
    verdict.attempt("scopes", () -> scopes(first));
    verdict.require("no span is current", !Span.current().getSpanContext().isValid());
    end(first);
    awaitExported(first); // when its delay is over
    // On a busy machine, a span may become due before a message is read. A flush waits for both.
    send(to -> to.registration(LONG_DELAY_MILLIS, HOST));
    flush();
    Span received = root("received", Span.fromContext(SampledTraces.received()).getSpanContext());
    sample(received);
    end(received);
    flush();
    awaitExported(received);
    otherSignals();
    verdict.feature("stack trace ids", hasIds(exporter, received));
    verdict.feature("ids for an added processor", hasIds(added, received));
    verdict.feature("host.id of spans", isOfHost(first) && isOfHost(received));
  }

  private Span root(String name, SpanContext parent) {
    return tracer
        .spanBuilder(name)
        .setSpanKind(SpanKind.SERVER)
        .setParent(Context.root().with(Span.wrap(parent)))
        .startSpan();
  }

  private void end(Span span) {
    verdict.attempt("end of a span", span::end);
  }

  private void sample(Span root) {
    send(to -> to.correlation(root, 2));
  }

  private void scopes(Span root) throws InterruptedException {
    try (Scope scope = root.makeCurrent()) {
      verdict.require("the root is current", Span.current() == root);
      Span child = tracer.spanBuilder("child").startSpan();
      try (Scope inner = child.makeCurrent()) {
        verdict.require("the child is current", Span.current() == child);
      }
      verdict.require("the root is current again", Span.current() == root);
      child.end();
      awaitExported(child);
      Context context = Context.current();
      Thread other =
          new Thread(() -> verdict.attempt("scopes of a thread", () -> onOtherThread(context)));
      other.start();
      other.join();
    }
  }

  private void onOtherThread(Context context) {
    verdict.require("nothing is current", !Span.current().getSpanContext().isValid());
    try (Scope scope = context.makeCurrent()) {
      verdict.require("the context is current", Context.current() == context);
    }
    verdict.require("nothing is current again", !Span.current().getSpanContext().isValid());
  }

  private void otherSignals() {
    telemetry.metrics.clear();
    logs.exported.clear();
    verdict.attempt(
        "metrics",
        () -> {
          LongCounter counter = sdk.getMeter("test").counterBuilder("requests").build();
          counter.add(1);
          finished("flush of metrics", sdk.getSdkMeterProvider().forceFlush());
        });
    verdict.attempt(
        "logs",
        () -> {
          Logger logger = sdk.getSdkLoggerProvider().get("test");
          logger.logRecordBuilder().setBody("line").emit();
          finished("flush of logs", sdk.getSdkLoggerProvider().forceFlush());
        });
    verdict.require(
        "the application's metric is exported once",
        telemetry.metrics.stream().filter(m -> m.getName().equals("requests")).count() == 1);
    verdict.require("the log record is exported once", logs.exported.size() == 1);
    verdict.feature(
        "host.id of metrics",
        telemetry.metrics.stream().allMatch(m -> RecordedTelemetry.isOf(m.getResource(), HOST)));
    verdict.feature(
        "host.id of logs",
        logs.exported.stream().allMatch(l -> RecordedTelemetry.isOf(l.getResource(), HOST)));
    verdict.feature(
        "the plug-in's metrics",
        telemetry.metrics.stream().anyMatch(m -> m.getName().startsWith("profiling.correlation.")));
    verdict.feature(
        "the metric of samples",
        telemetry.metrics.stream()
            .anyMatch(m -> m.getName().equals("profiling.correlation.samples")));
  }

  private boolean isOfHost(Span span) {
    return exporter.exported(span).stream()
        .allMatch(data -> RecordedTelemetry.isOf(data.getResource(), HOST));
  }

  private static boolean hasIds(RecordingSpanExporter to, Span span) {
    return to.exported(span).stream()
        .allMatch(
            data -> {
              List<String> ids = data.getAttributes().get(RecordingSpanExporter.STACK_TRACE_IDS);
              return ids != null && ids.size() == 2;
            });
  }

  private void awaitExported(Span span) {
    verdict.attempt(
        "export",
        () -> {
          verdict.await(
              "a span is exported",
              () -> !exporter.exported(span).isEmpty() && !added.exported(span).isEmpty());
          verdict.require("a span is exported once", exporter.exported(span).size() <= 1);
          verdict.require("an added processor gets it once", added.exported(span).size() <= 1);
        });
  }

  void stop() {
    Span waiting = root("waiting", SpanContext.getInvalid());
    sample(waiting);
    end(waiting);
    verdict.attempt("shutdown", () -> finished("shutdown", sdk.getSdkTracerProvider().shutdown()));
    verdict.require("the exporter is shut down", exporter.shutDown && added.shutDown);
    awaitExported(waiting);
    verdict.attempt(
        "shutdown of metrics", () -> finished("it", sdk.getSdkMeterProvider().shutdown()));
    verdict.attempt(
        "shutdown of logs", () -> finished("it", sdk.getSdkLoggerProvider().shutdown()));
    verdict.attempt("a span after the end", () -> tracer.spanBuilder("late").startSpan().end());
    if (profiler != null) {
      profiler.close();
    }
  }
}
