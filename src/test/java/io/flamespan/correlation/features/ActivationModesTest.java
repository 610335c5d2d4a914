/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.apps.InstalledApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DecodedRecord;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingSpanProcessor;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.nio.file.Path;
import java.util.logging.Level;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: auto (the default), true and false behave as the README says. */
class ActivationModesTest {
  /**
   * The SDK of the first context decides whether contexts are mirrored, for the life of the
   * process.
   */
  @BeforeAll
  static void useAContext() {
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      assertThat(Context.current()).isNotNull();
    }
  }

  private static CorrelatedSdk start(String mode) {
    return CorrelatedSdk.start(CorrelatedSdk.PREFIX + "enabled", mode);
  }

  @Test
  void auto_withoutProfiler_showsTracesAndDelaysNothing() {
    try (CorrelatedSdk app = start("auto")) {
      Span root = app.span("root");
      try (Scope scope = root.makeCurrent()) {
        assertThat(DecodedRecord.ofCurrentThread().shows(root, root)).isTrue();
      }
      root.end();
      await().until(() -> !app.received(root).isEmpty());
      assertThat(app.receivedStackTraceIds(root)).isEmpty();
    }
  }

  @Test
  void auto_withoutProfiler_passesSpansOnBeforeTheirEndReturns() {
    RecordingSpanProcessor added = new RecordingSpanProcessor();
    added.shutdownResult.succeed();
    try (CorrelatedSdk app =
        CorrelatedSdk.startWith(
            ProfilingCorrelation.correlate(added), CorrelatedSdk.PREFIX + "enabled", "auto")) {
      app.span("root").end();
      assertThat(added.ended).hasSize(1);
    }
  }

  @Test
  void auto_firstCorrelationMessage_activatesAndCounts() {
    try (CorrelatedSdk app = start("auto")) {
      Span root = app.span("root");
      app.profiler().correlation(root, 1);
      app.flush();
      root.end();
      Span next = app.span("next");
      long ended = System.nanoTime();
      next.end();
      await().until(() -> !app.received(next).isEmpty());

      assertThat(System.nanoTime() - ended).isGreaterThan(900_000_000L);
      app.flush();
      assertThat(app.receivedStackTraceIds(root)).hasSize(1);
    }
  }

  @Test
  void auto_registration_activates() {
    try (CorrelatedSdk app = start("auto")) {
      app.profiler().registration(5_000, "");
      app.flush();
      Span root = app.span("root");
      root.end();
      app.profiler().correlation(root, 1);
      app.flush();
      assertThat(app.receivedStackTraceIds(root)).hasSize(1);
    }
  }

  @Test
  void true_beforeAnyRegistration_delaysASecond() {
    try (CorrelatedSdk app = start("true")) {
      Span root = app.span("root");
      long ended = System.nanoTime();
      root.end();
      await().until(() -> !app.received(root).isEmpty());
      assertThat(System.nanoTime() - ended).isGreaterThan(900_000_000L);
    }
  }

  @Test
  void false_inAnApplication_leavesItAsWithoutThePlugin(@TempDir Path directory) {
    ChildJvm.Result off =
        new ChildJvm()
            .jvmArgument(ChildJvm.BRIEF)
            .setting("enabled", "false")
            .property("java.io.tmpdir", directory.toString())
            .run(InstalledApp.class);
    ChildJvm.Result without =
        new ChildJvm()
            .jvmArgument(ChildJvm.BRIEF)
            .withoutOnClassPath("flamespan")
            .run(InstalledApp.class);
    assertThat(without.output())
        .contains("SdkTracerProvider", "descriptors: ", "threads: ", "libraries: []");
    assertThat(off).isEqualTo(without);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void mode_wrongValue_isOffWithOneWarning() throws Exception {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = start("yes")) {
      assertThat(FakeProfiler.sockets(app.socketDir())).isEmpty();
      log.hasOneWarning("flamespan.enabled", "yes", "auto");
    }
  }

  @Test
  void start_successful_logsOneLineAtInfo() {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = start("auto")) {
      assertThat(log.messages(Level.INFO))
          .singleElement()
          .asString()
          .contains(
              "mode=auto",
              "state=waiting",
              app.profiler().socket().toString(),
              "elastic-jvmti-linux-")
          .doesNotContain("=,");
    }
  }
}
