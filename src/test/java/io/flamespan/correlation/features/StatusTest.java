/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.apps.PatientApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.NativeProgram;
import io.flamespan.correlation.testing.StatusBlockReader;
import io.flamespan.correlation.testing.StatusText;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: the memory of the process has the status, for readers outside the process. */
class StatusTest {
  private static final String ENABLED = CorrelatedSdk.PREFIX + "enabled";
  private static final String PROPERTY = CorrelatedSdk.PREFIX + "status";

  /** Waits for what the worker has published. */
  private static Map<String, String> awaitStatus(String key, String value) {
    await().ignoreExceptions().until(() -> StatusText.ofThisProcess().get(key).equals(value));
    return StatusText.ofThisProcess();
  }

  private static CorrelatedSdk start(String mode) {
    return CorrelatedSdk.start(ENABLED, mode);
  }

  @Test
  void start_auto_showsThatItWaitsForAProfiler() throws Exception {
    long before = System.currentTimeMillis();
    try (CorrelatedSdk app = start("auto")) {
      Map<String, String> status = awaitStatus("state", "waiting");

      assertThat(status)
          .containsEntry("format", "2")
          .containsEntry("pid", Long.toString(ProcessHandle.current().pid()))
          .containsEntry("mode", "auto")
          .containsEntry("state", "waiting")
          .containsEntry("reason", "")
          .containsEntry("service", "checkout")
          .containsEntry("socket", app.profiler().socket().toString())
          .containsEntry("socket.trouble", "")
          .containsEntry("process.context", "published")
          .containsEntry("processors", "1")
          .containsEntry("tracker", "1")
          .containsEntry("sampler.replaced", "0")
          .containsEntry("spans.seen", "0")
          .containsEntry("messages.last", "0");
      assertThat(status.get("library")).contains("elastic-jvmti-linux-");
      assertThat(status.get("jar")).endsWith(".jar");
      assertThat(status.get("version")).startsWith("0.");
      assertThat(status.get("max_dgram_qlen"))
          .isEqualTo(setting("/proc/sys/net/unix/max_dgram_qlen"));
      assertThat(status).doesNotContainValue("unknown");
      for (String time : List.of("started", "since", "socket.bound.since")) {
        assertThat(Long.parseLong(status.get(time))).isGreaterThanOrEqualTo(before);
      }
      assertThat(System.getProperty(PROPERTY)).isEqualTo("on");
    }
  }

  @Test
  void counters_whileRequestsRun_areThoseOfTheMessages() {
    try (CorrelatedSdk app = start("auto")) {
      long before = System.currentTimeMillis();
      app.profiler().registration(70, "");
      Map<String, String> registered = awaitStatus("state", "active");
      assertThat(registered)
          .containsEntry("messages.registration", "1")
          .containsEntry("samples.delay.ms", "70");
      Span root = app.span("root");
      String traceId = root.getSpanContext().getTraceId();
      awaitStatus("spans.seen", "1");
      app.profiler().correlation(root, 3);
      app.profiler().correlation(traceId, "00000000000000ff", FakeProfiler.STACK, 1);
      app.profiler().send(new byte[] {1});
      awaitStatus("socket.received", "4");
      root.end();
      awaitStatus("ids.attached", "3");
      Map<String, String> status = awaitStatus("spans.waiting", "0");

      assertThat(status)
          .containsEntry("messages.correlation", "2")
          .containsEntry("messages.unknown", "1")
          .containsEntry("messages.invalid", "1")
          .containsEntry("spans.delayed", "1")
          .containsEntry("ids.attached", "3");
      // Other tests of this JVM may have left some.
      assertThat(Long.parseLong(status.get("local.roots")))
          .isLessThanOrEqualTo(Long.parseLong(registered.get("local.roots")));
      assertThat(Long.parseLong(status.get("since"))).isGreaterThanOrEqualTo(before);
      assertThat(Long.parseLong(status.get("messages.last"))).isGreaterThanOrEqualTo(before);
      assertThat(status.get("context.storage")).containsPattern("\\.Mirror\\w+Storage of ");
    }
  }

  @Test
  void emptyDatagram_inModeAuto_isReadAndChangesNothingElse() {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = start("auto")) {
      app.profiler().send(new byte[0]);

      assertThat(awaitStatus("socket.received", "1"))
          .containsEntry("state", "waiting")
          .containsEntry("messages.registration", "0")
          .containsEntry("messages.correlation", "0")
          .containsEntry("messages.invalid", "0")
          .containsEntry("messages.last", "0");
      assertThat(log.warnings()).isEmpty();
    }
  }

  @Test
  void trouble_lastWarning_isShownWithItsCount() {
    try (CorrelatedSdk app = start("auto")) {
      long before = Long.parseLong(awaitStatus("state", "waiting").get("trouble.count"));
      app.profiler().send(new byte[] {2, 0, 1, 0});
      Map<String, String> status = awaitStatus("trouble.count", Long.toString(before + 1));

      assertThat(status).containsEntry("state", "waiting");
      assertThat(status.get("trouble")).contains("Dropped a profiler message of 4 bytes");
      assertThat(Long.parseLong(status.get("trouble.time")))
          .isGreaterThanOrEqualTo(Long.parseLong(status.get("started")));
    }
  }

  @Test
  void settings_inForce_haveTheirOrigin() {
    System.setProperty(CorrelatedSdk.PREFIX + "buffer.size", "5000");
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app =
            CorrelatedSdk.start(CorrelatedSdk.PREFIX + "max.stack.trace.ids", "many")) {
      assertThat(awaitStatus("state", "active"))
          .containsEntry("setting.enabled", "true (file)")
          .containsEntry("setting.socket.dir", app.socketDir() + " (file)")
          .containsEntry("setting.buffer.size", "5000 (property)")
          .containsEntry("setting.max.stack.trace.ids", "16384 (default)")
          .containsEntry("setting.samples.attribute", " (default)");
    } finally {
      System.clearProperty(CorrelatedSdk.PREFIX + "buffer.size");
    }
  }

  /** The doctor's tests compare the keys that it reads with the same page. */
  @Test
  void keys_whileThePluginRuns_areThoseOfThePage() throws IOException {
    String page = Files.readString(Path.of("docs/status.md"));
    Set<String> told =
        Pattern.compile("(?m)^- (`[^`]+`(?:,\\s+`[^`]+`)*): ")
            .matcher(page.substring(page.indexOf("\n## The keys\n")))
            .results()
            .flatMap(row -> Stream.of(row.group(1).split(",\\s+")))
            .map(key -> key.replace("`", ""))
            .filter(key -> !key.equals("setting.NAME"))
            .collect(toSet());

    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      app.flush();
      assertThat(StatusText.ofThisProcess().keySet())
          .filteredOn(key -> !key.startsWith("setting."))
          .containsExactlyInAnyOrderElementsOf(told);
    }
  }

  @Test
  void stop_ofTheSdk_isShown() {
    start("true").close();

    assertThat(StatusText.ofThisProcess())
        .containsEntry("state", "stopped")
        .containsEntry("reason", "")
        .containsEntry("socket.bound.since", "0")
        .containsEntry("spans.waiting", "0");
    assertThat(System.getProperty(PROPERTY)).startsWith("off: ");
  }

  @Test
  void off_byWrongSettingAfterTheLibraryWasLoaded_namesSettingAndValue() {
    start("true").close();
    try (LogCapturer log = new LogCapturer()) {
      start("yes").close();
    }

    String reason = ENABLED + " is yes; set it to auto or true";
    assertThat(StatusText.ofThisProcess())
        .containsEntry("state", "off")
        .containsEntry("mode", "false")
        .containsEntry("reason", reason)
        .containsEntry("setting.enabled", "false (file)")
        .doesNotContainKey("socket");
    assertThat(System.getProperty(PROPERTY)).isEqualTo("off: " + reason);
  }

  @Test
  void off_byFailedStart_showsTheSameAsTheLog(@TempDir Path directory) {
    start("true").close();
    Path tooLong = directory.resolve("x".repeat(90));
    try (LogCapturer log = new LogCapturer();
        ProfilingCorrelation correlation =
            ProfilingCorrelation.builder(Resource.getDefault())
                .set("flamespan.socket.dir", tooLong.toString())
                .start()) {
      Map<String, String> status = StatusText.ofThisProcess();

      assertThat(status)
          .containsEntry("state", "off")
          .containsEntry("mode", "auto")
          .containsEntry("setting.socket.dir", tooLong + " (code)");
      assertThat(status.get("reason")).contains("socket.dir", tooLong.toString());
      assertThat(System.getProperty(PROPERTY)).isEqualTo("off: " + status.get("reason"));
      assertThat(log.messages(Level.INFO))
          .singleElement()
          .asString()
          .contains(status.get("reason"));
    }
  }

  @Test
  void off_byTheUser_isASystemPropertyThatToolsSee(@TempDir Path directory) throws Exception {
    ChildJvm jvm = child(directory).property(ENABLED, "false");
    try (DoctorPatient patient = DoctorPatient.start(jvm.command(PatientApp.class))) {
      String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
      String pid = Long.toString(patient.pid());

      assertThat(NativeProgram.run(List.of(jcmd, pid, "VM.system_properties")).text())
          .contains(PROPERTY + "=off\\: " + ENABLED + " is false; set it to auto or true");
      assertThat(directory).isEmptyDirectory();
    }
  }

  @Test
  void status_ofAStoppedProcess_isRead(@TempDir Path directory) throws Exception {
    ChildJvm jvm =
        child(directory).property(ENABLED, "true").under("env", "FLAMESPAN_BUFFER_SIZE=4000");
    try (DoctorPatient patient = DoctorPatient.start(jvm.command(PatientApp.class))) {
      await()
          .ignoreExceptions()
          .until(() -> StatusText.of(patient.pid()).get("spans.seen").equals("1"));
      patient.stop();

      assertThat(StatusText.of(patient.pid()))
          .containsEntry("state", "active")
          .containsEntry("pid", Long.toString(patient.pid()))
          .containsEntry("setting.enabled", "true (property)")
          .containsEntry("setting.buffer.size", "4000 (variable)");
    }
  }

  @Test
  void text_replacedWhileOthersRead_isNeverTorn() throws Exception {
    try (CorrelatedSdk app = start("auto");
        StatusBlockReader reader = new StatusBlockReader(ProcessHandle.current().pid())) {
      awaitStatus("state", "waiting");
      AtomicBoolean done = new AtomicBoolean();
      Thread writer =
          new Thread(
              () -> {
                try (LogCapturer log = new LogCapturer()) {
                  for (int i = 0; i < 300; i++) {
                    start("true").close(); // refused, which changes trouble and counters
                  }
                } finally {
                  done.set(true);
                }
              });
      writer.start();
      long last = 0;
      int read = 0;
      while (!done.get() || read == 0) {
        Map<String, String> status = reader.tryRead();
        if (status != null) {
          read++;
          assertThat(status).containsEntry("state", "waiting").containsKey("setting.mbean.enabled");
          long count = Long.parseLong(status.get("trouble.count"));
          assertThat(count).isGreaterThanOrEqualTo(last);
          last = count;
        }
      }
      writer.join();
      assertThat(last).isPositive();
    }
  }

  private static ChildJvm child(Path directory) {
    return ChildJvm.exporting("logging").property("java.io.tmpdir", directory.toString());
  }

  /** Reads the file with one call, as the kernel requires. */
  private static String setting(String path) throws IOException {
    try (InputStream in = Files.newInputStream(Path.of(path))) {
      return new String(in.readNBytes(64), StandardCharsets.UTF_8).strip();
    }
  }
}
