/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.FakeProfiler.EXPORTED_STACK;
import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.apps.LateProcessorApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.EndProcessor;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.internal.ExtendedSpanProcessor;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: {@link ProfilingCorrelation#correlate} also serves processors that the application adds.
 */
class AddedProcessorTest {
  private final RecordingSpanExporter exporter = new RecordingSpanExporter();

  private SpanProcessor batching() {
    return BatchSpanProcessor.builder(exporter).build();
  }

  /** Ends a local root with one sample, and a child without. */
  private static List<Span> endSampled(CorrelatedSdk app) {
    Span root = app.span("root");
    Span child = app.child(root);
    child.end();
    root.end();
    app.profiler().correlation(root, 1);
    return List.of(root, child);
  }

  private void awaitExported(List<Span> spans) {
    await().until(() -> spans.stream().noneMatch(span -> exporter.exported(span).isEmpty()));
  }

  @Test
  void batchProcessor_correlated_getsRootsWithStackTraces() {
    try (CorrelatedSdk app = CorrelatedSdk.startWith(ProfilingCorrelation.correlate(batching()))) {
      app.profiler().registration(60_000, "");
      List<Span> spans = endSampled(app);
      app.flush();
      awaitExported(spans);

      assertThat(exporter.stackTraceIds(spans.get(0))).containsExactly(EXPORTED_STACK);
      assertThat(exporter.stackTraceIds(spans.get(1))).isEmpty();
      assertThat(app.receivedStackTraceIds(spans.get(0))).containsExactly(EXPORTED_STACK);
    }
  }

  @ParameterizedTest
  @EnumSource
  void correlate_inAnotherCustomizer_isIndependentOfTheOrder(OtherCustomizer other) {
    try (CorrelatedSdk app =
        other.start(
            sdk ->
                sdk.addTracerProviderCustomizer(
                    (builder, c) ->
                        builder.addSpanProcessor(ProfilingCorrelation.correlate(batching()))))) {
      app.profiler().registration(60_000, "");
      List<Span> spans = endSampled(app);
      app.shutdown();

      assertThat(exporter.stackTraceIds(spans.get(0))).containsExactly(EXPORTED_STACK);
      assertThat(exporter.stackTraceIds(spans.get(1))).isEmpty();
      assertThat(exporter.shutDown).isTrue();
    }
  }

  @Test
  void localRoot_withoutFlush_isReleasedAfterTheDelay() {
    SpanProcessor simple = SimpleSpanProcessor.create(exporter);
    try (CorrelatedSdk app = CorrelatedSdk.startWith(ProfilingCorrelation.correlate(simple))) {
      List<Span> spans = endSampled(app);
      awaitExported(spans);

      assertThat(exporter.stackTraceIds(spans.get(0))).containsExactly(EXPORTED_STACK);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "auto"})
  void spans_whileNothingIsCorrelated_passUnchanged(String mode) {
    AtomicReference<ReadableSpan> seen = new AtomicReference<>();
    SpanProcessor added = ProfilingCorrelation.correlate(new Ending(seen));
    try (CorrelatedSdk app =
        CorrelatedSdk.startWith(added, CorrelatedSdk.PREFIX + "enabled", mode)) {
      Span root = app.span("root");
      root.end();
      assertThat(seen.get()).isSameAs(root);
    }
  }

  @Test
  void flushAndShutdown_ofSdkInCode_areAsWithoutPlugin() {
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .addSpanProcessor(ProfilingCorrelation.correlate(batching()))
            .build();
    Span root = provider.get("test").spanBuilder("root").startSpan();
    root.end();
    assertThat(provider.forceFlush().join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
    assertThat(exporter.stackTraceIds(root)).isEmpty();

    Span last = provider.get("test").spanBuilder("last").startSpan();
    last.end();
    assertThat(provider.shutdown().join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
    assertThat(exporter.stackTraceIds(last)).isEmpty();
    assertThat(exporter.shutDown).isTrue();
  }

  @Test
  void unservedSdks_closed_leaveNothing() {
    List<WeakReference<SpanProcessor>> processors = new ArrayList<>();
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      for (int i = 0; i < 2_000; i++) {
        processors.add(endSpanOfAnotherSdk());
      }
      await()
          .until(
              () -> {
                System.gc();
                return processors.stream().allMatch(processor -> processor.get() == null);
              });
      app.span("root").end();
      app.flush();
    }
  }

  private static WeakReference<SpanProcessor> endSpanOfAnotherSdk() {
    AtomicReference<ReadableSpan> seen = new AtomicReference<>();
    SpanProcessor added = new Ending(seen);
    try (SdkTracerProvider other =
        SdkTracerProvider.builder()
            .addSpanProcessor(ProfilingCorrelation.correlate(added))
            .build()) {
      Span theirs = other.get("test").spanBuilder("theirs").startSpan();
      theirs.end();
      assertThat(seen.get()).isSameAs(theirs);
      assertThat(other.forceFlush().join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
    }
    return new WeakReference<>(added);
  }

  @ParameterizedTest
  @CsvSource({"after, it was added after", "without, the plug-in is not installed"})
  void processor_withoutInstallBehindIt_isNamedInOneWarning(
      String when, String reason, @TempDir Path socketDir) {
    ChildJvm.Result result =
        new ChildJvm()
            .jvmArgument(ChildJvm.BRIEF)
            .run(LateProcessorApp.class, socketDir.toString(), when)
            .succeeded();
    assertThat(result.output().lines().filter(line -> line.startsWith("WARNING: ")))
        .as(result.output())
        .singleElement()
        .asString()
        .contains("correlate receives spans without stack traces", reason);
    assertThat(result.output()).contains("passed on: 3");
  }

  @Test
  void correlate_wrappedProcessor_returnsItAsItIs() {
    SpanProcessor once = ProfilingCorrelation.correlate(batching());
    assertThat(ProfilingCorrelation.correlate(once)).isSameAs(once);
    SpanProcessor extended = ProfilingCorrelation.correlate(new Ending(new AtomicReference<>()));
    assertThat(ProfilingCorrelation.correlate(extended)).isSameAs(extended);
    once.shutdown();
  }

  @Test
  void onEnding_processorThatWantsIt_isStillCalled() {
    AtomicReference<ReadableSpan> seen = new AtomicReference<>();
    Ending added = new Ending(seen);
    Ending composed = new Ending(new AtomicReference<>());
    try (CorrelatedSdk app =
        CorrelatedSdk.start(
            sdk ->
                sdk.addTracerProviderCustomizer(
                        (builder, c) ->
                            builder.addSpanProcessor(ProfilingCorrelation.correlate(added)))
                    .addSpanProcessorCustomizer(
                        (processor, c) -> SpanProcessor.composite(composed, processor)))) {
      Span root = app.span("root");
      root.end();
      app.flush();

      assertThat(added.ending).isSameAs(root);
      assertThat(composed.ending).isSameAs(root);
      await().until(() -> seen.get() != null);
      assertThat(app.awaitReceived(root)).isNotNull();
    }
  }

  /** Remembers the last span passed to onEnding, and passes ended spans on. */
  private static final class Ending implements ExtendedSpanProcessor, EndProcessor {
    private final AtomicReference<ReadableSpan> ended;
    private volatile ReadWriteSpan ending;

    Ending(AtomicReference<ReadableSpan> ended) {
      this.ended = ended;
    }

    @Override
    public void onEnding(ReadWriteSpan span) {
      ending = span;
    }

    @Override
    public boolean isOnEndingRequired() {
      return true;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      ended.set(span);
    }
  }
}
