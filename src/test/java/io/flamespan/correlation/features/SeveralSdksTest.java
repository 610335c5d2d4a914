/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.FakeProfiler.EXPORTED_STACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.apps.SdksAtOnceApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: which SDK is served is decided once, and every other SDK is told. */
class SeveralSdksTest {
  private static final String REFUSED = "runs without it";

  @TempDir Path socketDir;
  private final RecordingSpanExporter exporter = new RecordingSpanExporter();

  private ProfilingCorrelation startInCode() {
    return ProfilingCorrelation.builder(
            Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "in-code")))
        .setMode(ProfilingCorrelation.Mode.ENABLED)
        .set("flamespan.socket.dir", socketDir.toString())
        .start();
  }

  /** Ends a local root span with one sample. */
  private static Span endSampled(SdkTracerProvider provider, FakeProfiler profiler) {
    Span root = provider.get("test").spanBuilder("root").startSpan();
    profiler.registration(60_000, "");
    profiler.correlation(root, 1);
    root.end();
    assertThat(provider.forceFlush().join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
    return root;
  }

  private static void assertRefuses(String served, String refused) {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk other = CorrelatedSdk.start("otel.service.name", refused)) {
      log.hasOneWarning("already serves the SDK of service " + served, refused + " " + REFUSED);
    }
  }

  @Test
  void pluginStartedInCode_anotherSdkIsConfiguredBeforeInstall_keepsItsSdk() {
    try (ProfilingCorrelation correlation = startInCode()) {
      assertRefuses("in-code", "checkout");
      try (SdkTracerProvider provider =
              correlation
                  .install(
                      SdkTracerProvider.builder()
                          .addSpanProcessor(
                              ProfilingCorrelation.correlate(SimpleSpanProcessor.create(exporter))))
                  .build();
          FakeProfiler profiler = FakeProfiler.of(socketDir)) {
        Span root = endSampled(provider, profiler);
        assertThat(exporter.stackTraceIds(root)).containsExactly(EXPORTED_STACK);
      }
    }
    try (CorrelatedSdk later = CorrelatedSdk.start()) {
      assertThat(later.profiler().socket()).exists();
    }
  }

  @Test
  void sdkThatIsBeingConfigured_anotherThreadConfiguresOne_keepsThePlugin() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    FutureTask<CorrelatedSdk> first =
        new FutureTask<>(
            () ->
                CorrelatedSdk.start(
                    CorrelatedSdk.afterThePlugin(unused -> waitFor(started, go)),
                    "otel.service.name",
                    "first"));
    new Thread(first).start();
    started.await();
    try {
      assertRefuses("first", "second");
    } finally {
      go.countDown();
    }
    try (CorrelatedSdk app = first.get()) {
      Span root = endSampled(app.sdk().getSdkTracerProvider(), app.profiler());
      assertThat(app.receivedStackTraceIds(root)).containsExactly(EXPORTED_STACK);
    }
  }

  private static void waitFor(CountDownLatch started, CountDownLatch go) {
    started.countDown();
    try {
      go.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void fail(SdkTracerProviderBuilder unused) {
    throw new IllegalStateException("requested by the test");
  }

  @Test
  void sdkWithoutExporters_beforeItsFirstSpan_keepsThePlugin() {
    try (CorrelatedSdk idle =
        CorrelatedSdk.start("otel.service.name", "idle", "otel.traces.exporter", "none")) {
      assertRefuses("idle", "checkout");
      assertThat(idle.profiler().socket()).exists();
    }
  }

  @Test
  void sdkWhoseConfigurationFails_onAnotherThread_givesWayWithAWarning() throws Exception {
    Thread thread =
        new Thread(
            () -> {
              try (CorrelatedSdk unused =
                  CorrelatedSdk.start(
                      CorrelatedSdk.afterThePlugin(SeveralSdksTest::fail),
                      "otel.service.name",
                      "first")) {
                // It fails.
              } catch (RuntimeException expected) {
                // The test continues with another SDK.
              }
            });
    thread.start();
    thread.join();
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = CorrelatedSdk.start("otel.service.name", "second")) {
      log.hasOneWarning("first has failed", "second");
      Span root = endSampled(app.sdk().getSdkTracerProvider(), app.profiler());
      assertThat(app.receivedStackTraceIds(root)).containsExactly(EXPORTED_STACK);
    }
  }

  private List<String> run(int sdks) {
    ChildJvm.Result result =
        new ChildJvm().run(SdksAtOnceApp.class, "" + sdks, socketDir.toString()).succeeded();
    List<String> lines = result.output().lines().toList();
    assertThat(lines).filteredOn(line -> line.contains("Flamespan is on")).hasSize(1);
    assertThat(lines).filteredOn(line -> line.matches("sdk-\\d+: 1")).hasSize(1);
    assertThat(lines).filteredOn(line -> line.matches("sdk-\\d+: 0")).hasSize(sdks - 1);
    return lines.stream().filter(line -> line.contains(REFUSED)).toList();
  }

  @Test
  void sixSdks_configuredAtOnce_oneIsServedAndFiveAreTold() {
    List<String> refused = run(6);

    assertThat(refused).hasSize(5).doesNotHaveDuplicates();
  }

  @Test
  void manySdks_refused_areReportedOneByOneUpToALimit() {
    assertThat(run(40)).hasSize(10).last().asString().contains("and so do 9 others");
  }
}
