/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.FakeProfiler.EXPORTED_STACK;
import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.apps.InferredSpansApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DecidingSampler;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.logging.LoggingSpanExporter;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Promise: with other customizers of the same SDK, in any order, each exporter gets each span once,
 * and all autoconfigured exporters get local roots with the same stack traces.
 */
class OtherCustomizersTest {
  private static final List<String> EXPORTED_STACKS = List.of(EXPORTED_STACK, EXPORTED_STACK);
  private static final String LOGGED_STACKS = "elastic.profiler_stack_trace_ids=" + EXPORTED_STACKS;

  private static final String ONE_BEHIND_ANOTHER =
      "(LateBound|Delaying)SpanProcessor\\{(LateBound|Delaying)SpanProcessor";

  private final RecordingSpanExporter theirs = new RecordingSpanExporter();
  private final LogCapturer log = new LogCapturer();

  @AutoClose
  private final LogCapturer logged = new LogCapturer(LoggingSpanExporter.class.getName());

  @AfterEach
  void nothingWasWorthAWarning() {
    log.close();
    assertThat(log.warnings()).isEmpty();
  }

  /** A local root with two samples, and a child, both ended and exported. */
  private record Trace(Span root, Span child) {
    static Trace exportedBy(CorrelatedSdk app) {
      app.profiler().registration(60_000, "");
      Span root = app.span("root");
      Span child = app.child(root);
      child.end();
      root.end();
      app.profiler().correlation(root, 2);
      app.shutdown();
      return new Trace(root, child);
    }
  }

  private static void assertReceived(CorrelatedSdk app, Trace trace) {
    assertThat(app.receivedStackTraceIds(trace.root)).isEqualTo(EXPORTED_STACKS);
    assertThat(app.receivedStackTraceIds(trace.child)).isEmpty();
  }

  private void assertGivenToThem(Trace trace, List<String> stackTraceIds) {
    assertThat(theirs.stackTraceIds(trace.root)).isEqualTo(stackTraceIds);
    assertThat(theirs.stackTraceIds(trace.child)).isEmpty();
  }

  private List<String> logged(Span span) {
    String id = " " + span.getSpanContext().getSpanId() + " ";
    return logged.messages(Level.INFO).stream().filter(line -> line.contains(id)).toList();
  }

  private void assertLogged(Trace trace) {
    assertThat(logged(trace.root)).singleElement().asString().contains(LOGGED_STACKS);
    assertThat(logged(trace.child)).singleElement().asString().doesNotContain("stack_trace");
  }

  private void addTheirProcessor(AutoConfigurationCustomizer sdk) {
    sdk.addTracerProviderCustomizer(
        (builder, c) -> builder.addSpanProcessor(BatchSpanProcessor.builder(theirs).build()));
  }

  @ParameterizedTest
  @EnumSource
  void processor_addedNextToOurs_isServed(OtherCustomizer other) {
    try (CorrelatedSdk app =
        other.start(
            sdk ->
                sdk.addSpanProcessorCustomizer(
                    (processor, c) ->
                        SpanProcessor.composite(processor, SimpleSpanProcessor.create(theirs))))) {
      Trace trace = Trace.exportedBy(app);

      assertReceived(app, trace);
      assertGivenToThem(trace, EXPORTED_STACKS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void processor_wrappedTwice_delaysOnce(OtherCustomizer other) {
    try (CorrelatedSdk app =
        other.start(
            sdk ->
                sdk.addSpanProcessorCustomizer(
                    (processor, c) -> ProfilingCorrelation.correlate(processor)))) {
      assertReceived(app, Trace.exportedBy(app));
      assertThat(app.sdk().toString()).doesNotContainPattern(ONE_BEHIND_ANOTHER);
    }
  }

  @ParameterizedTest
  @EnumSource
  void sampler_ofOther_decidesWhatIsExported(OtherCustomizer other) {
    try (CorrelatedSdk app =
        other.start(
            sdk -> sdk.addSamplerCustomizer((sampler, c) -> DecidingSampler.dropping("dropped")))) {
      Span dropped = app.span("dropped");
      dropped.end();
      Trace trace = Trace.exportedBy(app);

      assertReceived(app, trace);
      assertThat(app.received(dropped)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void exporterOfOther_withItsResource_getsTheSame(OtherCustomizer other) {
    AttributeKey<String> zone = AttributeKey.stringKey("zone");
    try (CorrelatedSdk app =
        other.start(
            sdk -> {
              sdk.addResourceCustomizer((r, c) -> r.toBuilder().put(zone, "b").build());
              sdk.addSpanExporterCustomizer((e, c) -> SpanExporter.composite(e, theirs));
            })) {
      Trace trace = Trace.exportedBy(app);

      assertReceived(app, trace);
      assertGivenToThem(trace, EXPORTED_STACKS);
      Resource resource = theirs.exported(trace.root).get(0).getResource();
      assertThat(resource.getAttribute(zone)).isEqualTo("b");
    }
  }

  @ParameterizedTest
  @EnumSource
  void exporters_loggingAndOtlp_getTheSame(OtherCustomizer other) {
    try (CorrelatedSdk app =
        other.start(
            this::addTheirProcessor,
            "otel.traces.exporter",
            "otlp,logging",
            "otel.metrics.exporter",
            "otlp",
            "otel.logs.exporter",
            "otlp")) {
      app.sdk().getMeter("test").counterBuilder("counter").build().add(1);
      Trace trace = Trace.exportedBy(app);

      assertReceived(app, trace);
      assertLogged(trace);
      assertGivenToThem(trace, List.of());
      app.sdk().getSdkMeterProvider().forceFlush();
      await().until(() -> !app.receiver().metrics().isEmpty());
    }
  }

  @Test
  void baggageProcessor_withOurs_keepsItsAttributes() {
    try (CorrelatedSdk app =
        CorrelatedSdk.start(
            "otel.java.experimental.span-attributes.copy-from-baggage.include",
            "*",
            "otel.traces.exporter",
            "otlp,logging")) {
      Baggage baggage = Baggage.builder().put("tenant", "blue").build();
      Trace trace;
      try (var scope = Context.root().with(baggage).makeCurrent()) {
        trace = Trace.exportedBy(app);
      }

      assertReceived(app, trace);
      assertLogged(trace);
      assertThat(logged(trace.root)).singleElement().asString().contains("tenant=\"blue\"");
    }
  }

  @Test
  void inferredSpans_ofProfilerInTheProcess_areExported() {
    ChildJvm.Result result = new ChildJvm().run(InferredSpansApp.class).succeeded();
    assertThat(result.output())
        .contains(
            "shown: true",
            "inferred: true",
            "inferred with stack traces: 0",
            "roots without: 0",
            "not sampled: 0",
            "exported twice: 0");
  }
}
