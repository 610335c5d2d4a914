/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import static io.otelprofiling.correlation.testing.CorrelatedSdk.PREFIX;
import static io.otelprofiling.correlation.testing.FakeProfiler.EXPORTED_STACK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.otelprofiling.correlation.internal.embedded.EmbeddedProfilerException;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.FakeEmbeddedProfiler;
import io.otelprofiling.correlation.testing.FakeEmbeddedProfiler.Joined;
import io.otelprofiling.correlation.testing.FakeProfiler;
import io.otelprofiling.correlation.testing.LogCapturer;
import io.otelprofiling.correlation.testing.RecordingMetricReader;
import io.otelprofiling.correlation.testing.RecordingSpanProcessor;
import io.otelprofiling.correlation.testing.StatusText;
import io.otelprofiling.correlation.testing.VirtualThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Promise: each sample of an embedded profiler belongs to the span that was current. */
class EmbeddedProfilerTest {
  private static final String MODE = PREFIX + "embedded.profiler";

  private final LogCapturer logs = new LogCapturer();
  private final RecordingSpanProcessor exported = new RecordingSpanProcessor();
  private final ExecutorService executor = Executors.newFixedThreadPool(2);

  @BeforeEach
  void complete() {
    exported.flushResult.succeed();
    exported.shutdownResult.succeed();
  }

  @AfterEach
  void end() {
    executor.shutdownNow();
    FakeEmbeddedProfiler.startFailure = null;
    logs.close();
  }

  private CorrelatedSdk start(String... settings) {
    List<String> all = new ArrayList<>(List.of(PREFIX + "enabled", "auto", MODE, "on"));
    all.addAll(List.of(settings));
    CorrelatedSdk app =
        CorrelatedSdk.start(
            builder ->
                builder.addTracerProviderCustomizer(
                    (tracing, unused) -> tracing.addSpanProcessor(exported)),
            all.toArray(new String[0]));
    if (!all.get(all.lastIndexOf(MODE) + 1).equals("auto")) {
      awaitLine("The embedded profiler is on: a fake.");
    }
    return app;
  }

  private void awaitLine(String line) {
    await().atMost(10, TimeUnit.SECONDS).until(() -> logs.messages(Level.INFO).contains(line));
  }

  private static FakeEmbeddedProfiler profiler() {
    return FakeEmbeddedProfiler.STARTED.get(FakeEmbeddedProfiler.STARTED.size() - 1);
  }

  private static void run(CorrelatedSdk app, String name, Runnable work) {
    Span span = app.tracer().spanBuilder(name).startSpan();
    try (Scope scope = span.makeCurrent()) {
      work.run();
    }
    span.end();
  }

  private <T> T onOtherThread(Callable<T> task) {
    try {
      return executor.submit(task).get(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void samples_ofNestedSpans_belongToTheInnermost() {
    try (CorrelatedSdk app = start()) {
      run(app, "warm up", () -> {});
      run(
          app,
          "root",
          () -> {
            profiler().sample();
            run(app, "first", () -> profiler().sample());
            profiler().sample();
            run(app, "second", () -> run(app, "third", () -> profiler().sample()));
          });
      profiler().sample();
      run(app, "next", () -> {});

      assertThat(profiler().collected()).hasSize(5).allMatch(Joined::isRight);
      assertThat(profiler().collected()).extracting(Joined::isReported).containsOnly(true);
    }
  }

  @Test
  void report_duringEachSwitch_comesBeforeTheChange() {
    try (CorrelatedSdk app = start()) {
      run(app, "warm up", () -> {});
      for (int i = 0; i < 10; i++) {
        run(
            app,
            "root",
            () -> {
              profiler().sample();
              run(app, "child", () -> profiler().sample());
            });
      }

      assertThat(profiler().currentAtReport)
          .containsExactlyElementsOf(profiler().collected().stream().map(Joined::current).toList());
    }
  }

  @Test
  void sample_beforeTheFirstSwitchOfAThread_belongsToNoSpan() {
    try (CorrelatedSdk app = start()) {
      onOtherThread(
          () -> {
            run(app, "root", () -> profiler().sample());
            return null;
          });

      assertThat(profiler().collected()).hasSize(1).allMatch(Joined::isRight);
    }
  }

  @Test
  void samples_ofExecutors_belongToTheSpanOfEachTask() throws Exception {
    try (CorrelatedSdk app = start()) {
      List<Future<?>> tasks = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        run(
            app,
            "root",
            () -> tasks.add(executor.submit(Context.current().wrap(() -> profiler().sample()))));
        tasks.add(executor.submit(() -> profiler().sample()));
      }
      for (Future<?> task : tasks) {
        task.get();
      }

      assertThat(profiler().collected().stream().filter(each -> !each.isRight()).toList())
          .as("wrong")
          .allMatch(each -> each.work() == null) // before a thread's first switch
          .hasSizeLessThan(5);
    }
  }

  @Test
  void span_withASample_waitsForItAndOthersDoNot() {
    try (CorrelatedSdk app = start()) {
      run(app, "warm up", () -> {});
      Span[] sampled = new Span[1];
      run(
          app,
          "sampled",
          () -> {
            sampled[0] = Span.current();
            profiler().sample();
          });
      Span[] other = new Span[1];
      run(app, "other", () -> other[0] = Span.current());

      await().atMost(1500, TimeUnit.MILLISECONDS).until(() -> !app.received(other[0]).isEmpty());
      assertThat(app.received(sampled[0])).isEmpty();
      profiler().collect();
      await().atMost(3, TimeUnit.SECONDS).until(() -> !app.received(sampled[0]).isEmpty());
      assertThat(app.receivedStackTraceIds(sampled[0])).containsExactly(EXPORTED_STACK);
      assertThat(app.receivedStackTraceIds(other[0])).isEmpty();
    }
  }

  @Test
  void span_thatEndsWithinItsScope_waitsForItsSample() {
    try (CorrelatedSdk app = start()) {
      run(app, "warm up", () -> {});
      Span span = app.tracer().spanBuilder("root").startSpan();
      try (Scope scope = span.makeCurrent()) {
        profiler().sample();
        span.end();
      }
      app.flush();

      assertThat(app.receivedStackTraceIds(span)).containsExactly(EXPORTED_STACK);
    }
  }

  @Test
  void span_thatEndsOnAnotherThread_waitsForItsSamples() {
    try (CorrelatedSdk app = start()) {
      Span span = app.tracer().spanBuilder("root").startSpan();
      onOtherThread(
          () -> {
            try (Scope scope = span.makeCurrent()) {
              profiler().sample();
            }
            return null;
          });
      Span child =
          app.tracer().spanBuilder("child").setParent(Context.root().with(span)).startSpan();
      try (Scope scope = child.makeCurrent()) {
        profiler().sample();
      }
      child.end();
      span.end();
      app.flush();

      assertThat(app.receivedStackTraceIds(span)).hasSize(2);
    }
  }

  @Test
  void spans_ofASamplerThatDropsOrOnlyRecords_haveNoWork() {
    try (CorrelatedSdk app = start("otel.traces.sampler", "always_off")) {
      run(app, "warm up", () -> {});
      run(app, "dropped", () -> profiler().sample());

      assertThat(profiler().collected()).hasSize(1).allMatch(each -> each.work() == null);
    }
  }

  @Test
  void shutdown_ofTheSdk_exportsSpansWithTheirSamples() {
    Span[] spans = new Span[20];
    CorrelatedSdk app = start();
    try {
      for (int i = 0; i < spans.length; i++) {
        int number = i;
        run(
            app,
            "root",
            () -> {
              spans[number] = Span.current();
              profiler().sample();
            });
      }
      app.sdk().close();

      assertThat(profiler().stopped).isTrue();
      for (Span span : spans) {
        assertThat(app.receivedStackTraceIds(span)).containsExactly(EXPORTED_STACK);
      }
    } finally {
      app.close();
    }
  }

  @Test
  void metric_withThePeriod_countsSeconds() {
    RecordingMetricReader reader = new RecordingMetricReader();
    List<String> settings =
        List.of(
            PREFIX + "enabled",
            "auto",
            MODE,
            "on",
            PREFIX + "embedded.profiler.period",
            "20ms",
            PREFIX + "samples.metric.attributes",
            "span.name");
    try (CorrelatedSdk app =
        CorrelatedSdk.start(
            builder ->
                builder.addMeterProviderCustomizer(
                    (metering, unused) -> metering.registerMetricReader(reader)),
            settings.toArray(new String[0]))) {
      awaitLine("The embedded profiler is on: a fake.");
      run(app, "warm up", () -> {});
      run(
          app,
          "root",
          () -> {
            profiler().sample();
            profiler().sample();
          });
      app.flush();

      assertThat(profiler().settings.periodNanos).isEqualTo(20_000_000);
      assertThat(reader.collect())
          .filteredOn(metric -> metric.getName().equals("profiling.correlation.sampled_time"))
          .flatExtracting(metric -> metric.getDoubleSumData().getPoints())
          .singleElement()
          .satisfies(
              point -> {
                assertThat(point.getValue()).isEqualTo(0.04);
                assertThat(point.getAttributes())
                    .isEqualTo(Attributes.builder().put("span.name", "root").build());
              });
    }
  }

  @Test
  void auto_withAMessageOfAHostProfiler_neverStarts() {
    int before = FakeEmbeddedProfiler.STARTED.size();
    try (CorrelatedSdk app = start(MODE, "auto");
        FakeProfiler host = app.profiler()) {
      host.registration(0, "");
      app.flush();

      assertThat(FakeEmbeddedProfiler.STARTED).hasSize(before);
    }
  }

  @Test
  void status_whileSampling_hasTheCounts() {
    try (CorrelatedSdk app = start()) {
      run(app, "warm up", () -> {});
      run(app, "root", () -> profiler().sample());
      app.flush();

      await()
          .untilAsserted(
              () ->
                  assertThat(StatusText.ofThisProcess())
                      .containsEntry("embedded.profiler", "on: a fake")
                      .containsEntry("state", "waiting")
                      .containsEntry("embedded.samples", "1")
                      .containsEntry("embedded.joined", "1")
                      .containsEntry("embedded.late", "0")
                      .containsEntry("samples.delay.ms", "10000"));
    }
  }

  @Test
  void samples_whereTheNativeLibraryDoesNotRun_reachTheirSpans() {
    String os = System.getProperty("os.name");
    System.setProperty("os.name", "Mac OS X");
    try (CorrelatedSdk app = start()) {
      run(app, "warm up", () -> {});
      Span[] sampled = new Span[1];
      run(
          app,
          "root",
          () -> {
            sampled[0] = Span.current();
            run(app, "child", () -> profiler().sample());
          });
      app.flush();

      assertThat(app.receivedStackTraceIds(sampled[0])).containsExactly(EXPORTED_STACK);
      assertThat(profiler().collected()).allMatch(Joined::isRight);
      assertThat(logs.messages(Level.INFO))
          .anyMatch(line -> line.contains("on for the embedded profiler only: the operating"));
      assertThat(app.socketDir()).isEmptyDirectory();
    } finally {
      System.setProperty("os.name", os);
    }
    assertThat(profiler().stopped).isTrue();
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void engine_thatThrowsEverywhere_harmsNoSpan() {
    try (CorrelatedSdk app = start()) {
      run(app, "warm up", () -> {});
      FakeEmbeddedProfiler engine = profiler();
      engine.areNewFailure = new IllegalStateException("are new");
      run(app, "first", () -> engine.sample());
      engine.areNewFailure = null;
      engine.reportFailure = new NoClassDefFoundError("report");
      run(app, "second", () -> engine.sample());
      engine.reportFailure = null;
      engine.ofThreadFailure = new IllegalStateException("of thread");
      onOtherThread(
          () -> {
            run(app, "third", () -> engine.sample());
            return null;
          });
      Span[] last = new Span[1];
      run(
          app,
          "last",
          () -> {
            last[0] = Span.current();
            engine.sample();
          });
      engine.otherFailure = new IllegalStateException("other");
      app.flush();
      engine.otherFailure = null;

      assertThat(Span.current()).isEqualTo(Span.getInvalid());
      assertThat(engine.collected())
          .hasSize(4)
          .allMatch(each -> each.work() == null || each.isRight())
          .anyMatch(each -> each.work() != null);
      assertThat(app.received(last[0])).hasSize(1);
      assertThat(exported.ended).hasSize(5);
      assertThat(logs.warnings()).isNotEmpty();
    }
  }

  private static List<Throwable> startFailures() {
    return List.of(
        new EmbeddedProfilerException("perf events are denied"),
        new UnsatisfiedLinkError("libasyncProfiler.so"));
  }

  @ParameterizedTest
  @MethodSource("startFailures")
  void start_thatFails_isOneLineAndEverythingGoesOn(Throwable failure) {
    FakeEmbeddedProfiler.startFailure = failure;
    try (CorrelatedSdk app = CorrelatedSdk.start(PREFIX + "enabled", "auto", MODE, "on")) {
      awaitLine(
          failure instanceof EmbeddedProfilerException
              ? "The embedded profiler is off: perf events are denied."
              : "The embedded profiler is off");
      Span[] span = new Span[1];
      run(app, "root", () -> span[0] = Span.current());

      assertThat(app.awaitReceived(span[0])).isNotNull();
      assertThat(logs.warnings()).hasSize(1);
    }
  }

  @Test
  void secondSdk_afterTheFirst_hasItsOwnProfiler() {
    start().close();
    FakeEmbeddedProfiler first = profiler();
    logs.close();
    LogCapturer again = new LogCapturer();
    try (CorrelatedSdk app = CorrelatedSdk.start(PREFIX + "enabled", "auto", MODE, "on")) {
      await()
          .atMost(10, TimeUnit.SECONDS)
          .until(() -> again.messages(Level.INFO).contains("The embedded profiler is on: a fake."));
      run(app, "warm up", () -> {});
      run(app, "root", () -> profiler().sample());

      assertThat(profiler()).isNotSameAs(first);
      assertThat(profiler().collected()).hasSize(1).allMatch(Joined::isRight);
    } finally {
      again.close();
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void virtualThreads_andTheirCarriers_areLeftToNativeCode() throws Exception {
    ThreadFactory virtual = VirtualThreadFactory.create();
    try (CorrelatedSdk app = start()) {
      FakeEmbeddedProfiler engine = profiler();
      Thread thread = virtual.newThread(() -> run(app, "root", () -> engine.sample()));
      thread.start();
      thread.join();

      assertThat(engine.follows(thread)).isFalse();
      assertThat(engine.collected()).hasSize(1).allMatch(each -> each.work() == null);
    }
  }

  @Test
  void manyThreads_withRandomSpans_haveNoWrongSample() throws Exception {
    int threads = 32;
    int rounds = 300;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (CorrelatedSdk app = start()) {
      FakeEmbeddedProfiler engine = profiler();
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Random random = new Random(i);
        runs.add(
            pool.submit(
                () -> {
                  run(app, "warm up", () -> {});
                  for (int round = 0; round < rounds; round++) {
                    work(app, engine, random, 3);
                  }
                }));
      }
      for (Future<?> each : runs) {
        while (!each.isDone()) {
          engine.collect(); // meanwhile, samples are joined with what is current
        }
        each.get();
      }

      List<Joined> all = engine.collected();
      assertThat(all).hasSizeGreaterThan(threads * rounds / 2);
      assertThat(all).allMatch(Joined::isRight);
    } finally {
      pool.shutdownNow();
    }
  }

  private static void work(
      CorrelatedSdk app, FakeEmbeddedProfiler engine, Random random, int depth) {
    if (random.nextInt(3) == 0) {
      engine.sample();
    }
    for (int i = random.nextInt(3); i > 0 && depth > 0; i--) {
      run(app, "span", () -> work(app, engine, random, depth - 1));
      if (random.nextInt(3) == 0) {
        engine.sample();
      }
    }
  }
}
