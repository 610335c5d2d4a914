/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.features;

import static io.otelprofiling.correlation.testing.PatientJvm.assertFault;
import static io.otelprofiling.correlation.testing.PatientJvm.assertWarning;
import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.correlation.apps.PatientApp;
import io.otelprofiling.correlation.testing.ChildJvm;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.DoctorPatient;
import io.otelprofiling.correlation.testing.DoctorReport;
import io.otelprofiling.correlation.testing.PatientJvm;
import io.otelprofiling.correlation.testing.StatusText;
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

  @Test
  void jar_notOnTheClassPath_isAFault() {
    ChildJvm jvm = PatientJvm.create().withoutOnClassPath("otel-profiling-correlation");

    DoctorReport report = PatientJvm.examine(jvm);

    assertFault(report, "plugin.jar", "no jar of the plug-in", "on the class path");
    assertThat(report.output()).contains("\"verdict\":\"fault\"").doesNotContain(".enabled");
    assertThat(report.verdict("inside.state")).isEqualTo("not checked");
    assertThat(report.check("context.mapped").remedy()).doesNotContain("process.context.enabled");
  }

  @Test
  void enabled_falseByProperty_isAFault() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create().property(ENABLED, "false"));

    assertDisabled(report);
  }

  @Test
  void enabled_falseByEnvironment_isAFault() {
    String variable = "ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_ENABLED=false";

    DoctorReport report = PatientJvm.examine(PatientJvm.create().under("env", variable));

    assertDisabled(report);
  }

  @Test
  void enabled_falseAsApplicationArgument_isIgnored() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "-D" + ENABLED + "=false");

    assertThat(report.verdict("plugin.enabled")).as(report.output()).isEqualTo("ok");
  }

  @Test
  void sdk_disabledByEnvironment_isNamed() {
    DoctorReport report =
        PatientJvm.examine(PatientJvm.create().under("env", "OTEL_SDK_DISABLED=true"));

    assertFault(report, "plugin.enabled", "otel.sdk.disabled is true", "remove the setting");
  }

  @Test
  void jar_twiceOnTheClassPath_isAWarning() throws IOException {
    Path copy =
        Files.copy(Path.of(System.getProperty("test.plugin.jar")), directory.resolve("a.jar"));

    DoctorReport report = PatientJvm.examine(PatientJvm.create().firstOnClassPath(copy));

    assertWarning(report, "plugin.jar", copy.toString(), "copies of the plug-in: keep one jar");
  }

  @Test
  void clock_setBackSinceTheStart_isReported() throws IOException {
    try (DoctorPatient patient = offPatient()) {
      rewriteStatus(patient, "since=\\d+", "since=9999999999999");

      assertThat(patient.examine().check("inside.off").seen()).contains("changed at a future time");
    }
  }

  @Test
  void status_ofAnOlderPlugin_isIncomplete() throws IOException {
    try (DoctorPatient patient = offPatient()) {
      rewriteStatus(patient, "state=\\w+", "state=active");
      DoctorReport report = patient.examine();

      assertThat(report.verdict("inside.exporters")).isEqualTo("could not look");
      assertThat(report.check("inside.exporters").remedy()).contains("older than this doctor");
    }
  }

  /** A plug-in that is off answers no requests, so its status does not change. */
  private DoctorPatient offPatient() {
    ChildJvm jvm =
        PatientJvm.create()
            .property(ENABLED, "wrong")
            .property("java.io.tmpdir", directory.toString());
    return DoctorPatient.start(jvm.command(PatientApp.class));
  }

  private void rewriteStatus(DoctorPatient patient, String what, String by) throws IOException {
    Path status = StatusText.files(directory, patient.pid()).get(0);
    String text = Files.readString(status);
    assertThat(text.replaceAll(what, by)).isNotEqualTo(text);
    Files.writeString(status, text.replaceAll(what, by));
  }

  private static void assertDisabled(DoctorReport report) {
    assertFault(report, "plugin.enabled", ENABLED + " is false", "set it to auto or true");
    assertThat(report.verdict("inside.state")).isEqualTo("not checked");
    assertThat(report.checks()).doesNotContainKeys("inside.off", "inside.messages");
  }

  @Test
  void sdk_notAutoconfigured_isAFault() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "no-sdk");

    assertFault(report, "inside.state", "no OpenTelemetry SDK", "AutoConfiguredOpenTelemetrySdk");
    assertThat(report.check("inside.state").seen()).contains("or the application sets " + ENABLED);
    assertThat(report.verdict("plugin.jar")).isEqualTo("ok");
    assertThat(report.verdict("library.mapped")).isEqualTo("warning");
  }

  @Test
  void socketDir_thatCannotBeCreated_isTheReasonOfTheFault() {
    assertOff("socket.dir", "/proc/sockets", "no place for the profiler socket");
  }

  @Test
  void socketDir_tooLong_isTheReasonOfTheFault() {
    assertOff("socket.dir", directory.resolve("d".repeat(80)).toString(), "longer than the 89");
  }

  @Test
  void nativeDir_thatIsAFile_isTheReasonOfTheFault() throws IOException {
    String file = Files.createFile(directory.resolve("file")).toString();

    assertOff("native.dir", file, "cannot extract native libraries");
  }

  private static void assertOff(String setting, String value, String reason) {
    String property = CorrelatedSdk.PREFIX + setting;

    DoctorReport report = PatientJvm.examine(PatientJvm.create().property(property, value));

    assertFault(report, "inside.off", reason, "Follow this advice");
    assertThat(report.check("inside.off").seen()).contains("Set " + property, value);
    assertThat(report.check("library.mapped").remedy()).contains("Reported by the plug-in");
    assertThat(report.checks().values().stream().filter(c -> c.verdict().equals("fault")))
        .as(report.output())
        .hasSize(1);
  }

  @Test
  void process_stopped_isExaminedAndReportedAsStopped() throws Exception {
    try (DoctorPatient patient =
        DoctorPatient.start(PatientJvm.create().command(PatientApp.class))) {
      String pid = Long.toString(patient.pid());
      patient.stop();

      DoctorReport report = patient.examine();

      assertWarning(report, "process.stopped", "stopped", "SIGCONT");
      assertWarning(report, "inside.answer", "is stopped", "last known status");
      assertThat(report.checks()).doesNotContainKeys("inside.spans", "inside.messages");
      assertThat(report.check("threads.records").seen()).contains("1 show a trace now");

      assertThat(new ProcessBuilder("kill", "-CONT", pid).start().waitFor()).isZero();
      assertThat(patient.examine().checks()).doesNotContainKeys("process.stopped", "inside.answer");
    }
  }
}
