/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.CorrelatedSdk.PREFIX;
import static io.flamespan.correlation.testing.EmbeddedApps.MODE;
import static io.flamespan.correlation.testing.EmbeddedApps.profiler;
import static io.flamespan.correlation.testing.EmbeddedApps.run;
import static io.flamespan.correlation.testing.FakeProfiler.EXPORTED_STACK;
import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.EmbeddedApps;
import io.flamespan.correlation.testing.FakeEmbeddedProfiler;
import io.flamespan.correlation.testing.FakeEmbeddedProfiler.Joined;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingMetricReader;
import io.flamespan.correlation.testing.StatusText;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.resources.Resource;
import java.util.logging.Level;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Promise: one embedded profiler runs where the settings want it, the status and the metric tell,
 * and one that fails harms no span.
 */
class EmbeddedProfilerRunTest {
  @AutoClose private final EmbeddedApps apps = new EmbeddedApps();

  @Test
  void events_setInCode_reachTheProfiler() {
    try (ProfilingCorrelation plugin =
        ProfilingCorrelation.builder(Resource.getDefault())
            .set("flamespan.embedded.profiler", "on")
            .set(PREFIX + "embedded.profiler.events", "alloc,lock")
            .start()) {
      apps.awaitLine("The embedded profiler is on: a fake.");

      assertThat(plugin).isNotNull();
      assertThat(profiler().settings.events).containsExactly("alloc", "lock");
    }
  }

  @Test
  void secondSdk_afterTheFirst_hasItsOwnProfiler() {
    apps.start().close();
    FakeEmbeddedProfiler first = profiler();
    apps.logs.close();
    LogCapturer again = new LogCapturer();
    try (CorrelatedSdk app = CorrelatedSdk.start(PREFIX + "enabled", "auto", MODE, "on")) {
      await()
          .until(() -> again.messages(Level.INFO).contains("The embedded profiler is on: a fake."));
      run(app, "root", () -> profiler().sample());

      assertThat(profiler()).isNotSameAs(first);
      assertThat(profiler().collected()).hasSize(1).allMatch(Joined::isRight);
    } finally {
      again.close();
    }
  }

  @Test
  void status_whileSampling_hasTheCounts() {
    try (CorrelatedSdk app = apps.start()) {
      run(app, "root", () -> profiler().sample());
      app.flush();

      await()
          .untilAsserted(
              () ->
                  assertThat(StatusText.ofThisProcess())
                      .containsEntry("embedded.profiler", "on: a fake")
                      .containsEntry("state", "active")
                      .containsEntry("embedded.samples", "1")
                      .containsEntry("embedded.joined", "1")
                      .containsEntry("embedded.late", "0")
                      .containsEntry("samples.delay.ms", "10000"));
    }
  }

  @Test
  void metric_withThePeriod_countsSeconds() {
    RecordingMetricReader reader = new RecordingMetricReader();
    try (CorrelatedSdk app =
        CorrelatedSdk.startWith(
            reader,
            PREFIX + "enabled",
            "auto",
            MODE,
            "on",
            PREFIX + "embedded.profiler.period",
            "20ms",
            PREFIX + "samples.metric.attributes",
            "span.name")) {
      apps.awaitLine("The embedded profiler is on: a fake.");
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
      assertThat(reader.collect("profiling.correlation.sampled_time"))
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
  void engine_thatThrowsEverywhere_harmsNoSpan() {
    try (CorrelatedSdk app = apps.start()) {
      FakeEmbeddedProfiler engine = profiler();
      engine.areNewFailure = new IllegalStateException("are new");
      run(app, "first", () -> engine.sample());
      engine.areNewFailure = null;
      engine.reportFailure = new NoClassDefFoundError("report");
      run(app, "second", () -> engine.sample());
      engine.reportFailure = null;
      engine.ofThreadFailure = new IllegalStateException("of thread");
      apps.onOtherThread(
          () -> {
            run(app, "third", () -> engine.sample());
            return null;
          });
      Span last = run(app, "last", () -> engine.sample());
      engine.otherFailure = new IllegalStateException("other");
      app.flush();
      engine.otherFailure = null;

      assertThat(Span.current()).isEqualTo(Span.getInvalid());
      assertThat(engine.collected())
          .hasSize(4)
          .allMatch(each -> each.work() == null || each.isRight())
          .anyMatch(each -> each.work() != null);
      assertThat(app.received(last)).hasSize(1);
      assertThat(apps.exported.ended).hasSize(5);
      assertThat(apps.logs.warnings()).isNotEmpty();
    }
  }

  @Test
  void samples_whereTheNativeLibraryDoesNotRun_reachTheirSpans() {
    String os = System.getProperty("os.name");
    System.setProperty("os.name", "Mac OS X");
    try (CorrelatedSdk app = apps.start()) {
      Span sampled = run(app, "root", () -> run(app, "child", () -> profiler().sample()));
      app.flush();

      assertThat(app.receivedStackTraceIds(sampled)).containsExactly(EXPORTED_STACK);
      assertThat(profiler().collected()).allMatch(Joined::isRight);
      assertThat(apps.logs.messages(Level.INFO))
          .anyMatch(line -> line.contains("on for the embedded profiler only: the operating"));
      assertThat(app.socketDir()).isEmptyDirectory();
    } finally {
      System.setProperty("os.name", os);
    }
    assertThat(profiler().stopped).isTrue();
    assertThat(apps.logs.warnings()).isEmpty();
  }
}
