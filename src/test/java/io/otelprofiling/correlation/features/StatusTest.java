/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.ProfilingCorrelation;
import io.otelprofiling.correlation.apps.HaltingApp;
import io.otelprofiling.correlation.apps.PingApp;
import io.otelprofiling.correlation.testing.ChildJvm;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.Datagrams;
import io.otelprofiling.correlation.testing.FakeProfiler;
import io.otelprofiling.correlation.testing.LogCapturer;
import io.otelprofiling.correlation.testing.StatusText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: the plug-in reports its status in a file, at each state change and on request. */
class StatusTest {
  private static final String ENABLED = CorrelatedSdk.PREFIX + "enabled";
  private static final String NONCE = "00ff10ab80c0ffee";

  /** Waits for what the files thread writes after the worker has had it written. */
  private static Map<String, String> awaitStatus(String key, String value) {
    await().ignoreExceptions().until(() -> StatusText.ofThisProcess().get(key).equals(value));
    return StatusText.ofThisProcess();
  }

  private static CorrelatedSdk start(String mode) {
    return CorrelatedSdk.start(ENABLED, mode);
  }

  private static Map<String, String> ask(FakeProfiler profiler, String nonce) {
    profiler.send(Datagrams.statusRequest(nonce));
    await().until(() -> StatusText.ofThisProcess().get("asked").equals(nonce));
    return StatusText.ofThisProcess();
  }

  @Test
  void start_auto_reportsThatItWaitsForAProfiler() throws Exception {
    try (CorrelatedSdk app = start("auto");
        FakeProfiler profiler = app.profiler()) {
      Map<String, String> status = awaitStatus("state", "waiting");

      assertThat(status)
          .containsEntry("format", "1")
          .containsEntry("pid", Long.toString(ProcessHandle.current().pid()))
          .containsEntry("mode", "auto")
          .containsEntry("state", "waiting")
          .containsEntry("reason", "")
          .containsEntry("service", "checkout")
          .containsEntry("socket", profiler.socket().toString())
          .containsEntry("process.context", "published")
          .containsEntry("processors", "1")
          .containsEntry("messages.last", "0");
      assertThat(status.get("library")).contains("elastic-jvmti-linux-");
      assertThat(status.get("jar")).endsWith(".jar");
      assertThat(status.get("version")).startsWith("0.");
      assertThat(status.get("max_dgram_qlen"))
          .isEqualTo(setting("/proc/sys/net/unix/max_dgram_qlen"));
      assertThat(status).doesNotContainValue("unknown");
    }
  }

  @Test
  void request_inModeAuto_isAnsweredAndDoesNotCountAsMessage() {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = start("auto");
        FakeProfiler profiler = app.profiler()) {
      Map<String, String> status = ask(profiler, NONCE);

      assertThat(status)
          .containsEntry("state", "waiting")
          .containsEntry("messages.registration", "0")
          .containsEntry("messages.correlation", "0")
          .containsEntry("messages.invalid", "0")
          .containsEntry("messages.last", "0");
      Span root = app.tracer().spanBuilder("root").startSpan();
      root.end();
      app.flush();
      assertThat(ask(profiler, "0000000000000001"))
          .containsEntry("spans.delayed", "0")
          .containsEntry("spans.seen", "true");
      assertThat(log.warnings()).noneMatch(warning -> warning.contains("message"));
    }
  }

  @Test
  void request_afterMessages_reportsTheCounters() {
    try (CorrelatedSdk app = start("auto");
        FakeProfiler profiler = app.profiler()) {
      long before = System.currentTimeMillis();
      profiler.registration(70, "");
      app.flush();
      Span root = app.tracer().spanBuilder("root").startSpan();
      String traceId = root.getSpanContext().getTraceId();
      profiler.correlation(traceId, root.getSpanContext().getSpanId(), FakeProfiler.STACK, 3);
      profiler.correlation(traceId, "00000000000000ff", FakeProfiler.STACK, 1);
      root.end();
      app.flush();
      Map<String, String> status = ask(profiler, NONCE);

      assertThat(status)
          .containsEntry("state", "active")
          .containsEntry("messages.registration", "1")
          .containsEntry("messages.correlation", "2")
          .containsEntry("messages.unknown", "1")
          .containsEntry("samples.delay.ms", "70")
          .containsEntry("spans.delayed", "1")
          .containsEntry("ids.attached", "3");
      assertThat(Long.parseLong(status.get("since"))).isGreaterThanOrEqualTo(before);
      assertThat(Long.parseLong(status.get("messages.last"))).isGreaterThanOrEqualTo(before);
      assertThat(status.get("context.storage")).containsPattern("\\.Mirror\\w+Storage of ");
    }
  }

  @Test
  void secondSdk_whileOneIsServed_isCountedInTheFileOfTheFirst() {
    try (CorrelatedSdk app = start("true")) {
      long before = Long.parseLong(awaitStatus("state", "active").get("sdks.refused"));
      try (CorrelatedSdk refused = start("true");
          CorrelatedSdk off = start("false")) {
        assertThat(awaitStatus("sdks.refused", Long.toString(before + 1)))
            .containsEntry("state", "active")
            .containsEntry("mode", "true");
      }
    }
  }

  @Test
  void stop_ofTheSdk_isReported() {
    start("true").close();

    assertThat(StatusText.ofThisProcess())
        .containsEntry("state", "stopped")
        .containsEntry("reason", "")
        .containsEntry("spans.waiting", "0");
  }

  @Test
  void off_byWrongSetting_namesSettingAndValue() {
    try (LogCapturer log = new LogCapturer()) {
      start("yes").close();
    }

    assertThat(StatusText.ofThisProcess())
        .containsEntry("state", "off")
        .containsEntry("mode", "false")
        .containsEntry("reason", ENABLED + " is yes; set it to auto or true")
        .doesNotContainKey("socket");
  }

  @Test
  void off_byFailedStart_reportsTheSameAsTheLog(@TempDir Path directory) {
    Path tooLong = directory.resolve("x".repeat(90));
    try (LogCapturer log = new LogCapturer();
        ProfilingCorrelation correlation =
            ProfilingCorrelation.builder(Resource.getDefault())
                .setSocketDirectory(tooLong.toString())
                .start()) {
      Map<String, String> status = StatusText.ofThisProcess();

      assertThat(status).containsEntry("state", "off").containsEntry("mode", "auto");
      assertThat(status.get("reason")).contains("socket.dir", tooLong.toString());
      assertThat(log.messages(Level.INFO))
          .singleElement()
          .asString()
          .contains(status.get("reason"));
    }
  }

  @Test
  void off_onAnotherPlatform_namesThePlatform() {
    String os = System.getProperty("os.name");
    System.setProperty("os.name", "AIX");
    try {
      start("auto").close();
    } finally {
      System.setProperty("os.name", os);
    }

    assertThat(StatusText.ofThisProcess())
        .containsEntry("state", "off")
        .containsEntry("mode", "auto")
        .hasEntrySatisfying("reason", reason -> assertThat(reason).contains("AIX", "Linux"));
  }

  @Test
  void file_ofAProcessThatWasKilled_isDeletedByTheNext(@TempDir Path directory) {
    ChildJvm.Result killed = child(directory).run(HaltingApp.class);
    List<Path> left = files(directory);
    ChildJvm.Result next = child(directory).run(PingApp.class);

    assertThat(killed.status()).as(killed.output()).isEqualTo(HaltingApp.STATUS);
    assertThat(left).hasSize(1);
    assertThat(next.status()).as(next.output()).isZero();
    assertThat(files(directory)).isEmpty();
  }

  private static ChildJvm child(Path directory) {
    return new ChildJvm()
        .property("java.io.tmpdir", directory.toString())
        .property("otel.traces.exporter", "logging")
        .property("otel.metrics.exporter", "none")
        .property("otel.logs.exporter", "none");
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.getFileName().toString().startsWith("status-")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the file with one call, as the kernel requires. */
  private static String setting(String path) throws IOException {
    try (InputStream in = Files.newInputStream(Path.of(path))) {
      return new String(in.readNBytes(64), StandardCharsets.UTF_8).strip();
    }
  }
}
