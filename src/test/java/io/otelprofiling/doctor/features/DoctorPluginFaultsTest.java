/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.correlation.apps.PatientApp;
import io.otelprofiling.correlation.testing.ChildJvm;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.DoctorPatient;
import io.otelprofiling.correlation.testing.DoctorReport;
import io.otelprofiling.correlation.testing.PatientJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: if the plug-in does not run in a process, the doctor reports the reason and a remedy.
 */
@DisabledIfSystemProperty(
    named = "test.emulated",
    matches = "true",
    disabledReason = "reading an emulated process reads the memory of the emulator")
class DoctorPluginFaultsTest {
  private static final String ENABLED = CorrelatedSdk.PREFIX + "enabled";

  @TempDir Path directory;

  private static void assertNoLibrary(DoctorReport report) {
    assertThat(report.status()).as(report.output()).isEqualTo(2);
    assertThat(report.output()).doesNotContain("\"verdict\":\"fault\"");
    assertThat(report.verdict("library.mapped")).isEqualTo("could not look");
    assertThat(report.check("library.mapped").seen()).contains("either no SDK", "or it is off");
    assertThat(report.check("library.mapped").remedy()).contains("jcmd PID VM.system_properties");
    assertThat(report.verdict("inside.state")).isEqualTo("not checked");
  }

  @Test
  void jar_notOnTheClassPath_isNoFault() {
    ChildJvm jvm = PatientJvm.create().withoutOnClassPath("otel-profiling-correlation");

    DoctorReport report = PatientJvm.examine(jvm);

    assertNoLibrary(report);
    assertThat(report.verdict("plugin.jar")).isEqualTo("not checked");
    assertThat(report.verdict("plugin.enabled")).isEqualTo("not checked");
  }

  @Test
  void enabled_falseByProperty_isLikely() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create().property(ENABLED, "false"));

    assertLikely(report, ENABLED + "=false");
  }

  @Test
  void enabled_falseByEnvironment_isLikely() {
    String variable = "ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_ENABLED=false";

    assertLikely(PatientJvm.examine(PatientJvm.create().under("env", variable)), variable);
  }

  @Test
  void enabled_falseInToolOptions_isLikely() {
    String variable = "JAVA_TOOL_OPTIONS=-Dfoo=1 -D" + ENABLED + "=false";

    assertLikely(PatientJvm.examine(PatientJvm.create().under("env", variable)), "=false");
  }

  @Test
  void enabled_falseAsApplicationArgument_isIgnored() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "-D" + ENABLED + "=false");

    assertThat(report.verdict("inside.state")).as(report.output()).isEqualTo("ok");
    assertThat(report.checks()).doesNotContainKey("plugin.enabled");
  }

  @Test
  void sdk_disabledByEnvironment_isLikely() {
    String variable = "OTEL_SDK_DISABLED=true";

    assertLikely(PatientJvm.examine(PatientJvm.create().under("env", variable)), variable);
  }

  private static void assertLikely(DoctorReport report, String seen) {
    assertNoLibrary(report);
    assertThat(report.verdict("plugin.enabled")).isEqualTo("warning");
    assertThat(report.check("plugin.enabled").seen()).contains("likely switched off: ", seen);
    assertThat(report.check("plugin.enabled").remedy()).contains("auto or true");
  }

  @Test
  void sdk_notAutoconfigured_isNoFault() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "no-sdk");

    assertNoLibrary(report);
    assertThat(report.verdict("plugin.jar")).isEqualTo("warning");
    assertThat(report.check("plugin.jar").seen()).startsWith("likely in use: /");
  }

  @Test
  void options_inAFile_areNotGuessed() throws IOException {
    Path options = Files.writeString(directory.resolve("options"), "-D" + ENABLED + "=false\n");

    assertNoLibrary(
        PatientJvm.examine(PatientJvm.create().jvmArgument("-XX:VMOptionsFile=" + options)));
  }

  @Test
  void socketDir_thatCannotBeCreated_isInTheProperty() {
    assertOff("socket.dir", "/proc/sockets");
  }

  @Test
  void nativeDir_thatIsAFile_isInTheProperty() throws IOException {
    assertOff("native.dir", Files.createFile(directory.resolve("file")).toString());
  }

  private static void assertOff(String setting, String value) {
    assertNoLibrary(
        PatientJvm.examine(PatientJvm.create().property(CorrelatedSdk.PREFIX + setting, value)));
  }

  @Test
  void process_stopped_isExaminedAndReportedAsStopped() throws Exception {
    try (DoctorPatient patient =
        DoctorPatient.start(PatientJvm.create().command(PatientApp.class))) {
      String pid = Long.toString(patient.pid());
      patient.stop();

      DoctorReport report = patient.examine();

      assertThat(report.status()).as(report.output()).isEqualTo(2);
      assertThat(report.verdict("process.stopped")).isEqualTo("warning");
      assertThat(report.check("process.stopped").remedy()).contains("SIGCONT");
      assertThat(report.verdict("inside.answer")).isEqualTo("could not look");
      assertThat(report.check("threads.records").seen()).contains("1 show a trace now");

      assertThat(new ProcessBuilder("kill", "-CONT", pid).start().waitFor()).isZero();
      assertThat(patient.examine().verdict("inside.answer")).isEqualTo("ok");
    }
  }
}
