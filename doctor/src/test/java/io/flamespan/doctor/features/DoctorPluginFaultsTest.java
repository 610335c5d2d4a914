/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.DoctorReport;
import io.flamespan.correlation.testing.NotInEmulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: if the plug-in does not run in a process, the doctor reports the reason and a remedy.
 */
@NotInEmulation("reading an emulated process reads the memory of the emulator")
class DoctorPluginFaultsTest {
  private static final String ENABLED = CorrelatedSdk.PREFIX + "enabled";

  @TempDir Path directory;

  private static void assertNoLibrary(DoctorReport report) {
    report.exited(2);
    report.withoutFault();
    report.says("could not look", "library.mapped");
    report.saw("library.mapped", "either no SDK", "or it is off");
    report.advises("library.mapped", "jcmd PID VM.system_properties");
    report.says("not checked", "inside.state");
  }

  @Test
  void jar_notOnTheClassPath_isNoFault() {
    ChildJvm jvm = PatientJvm.create().withoutOnClassPath("flamespan");

    DoctorReport report = PatientJvm.examine(jvm);

    assertNoLibrary(report);
    report.says("not checked", "plugin.jar", "plugin.enabled");
  }

  @Test
  void enabled_falseByProperty_isLikely() {
    assertLikely(PatientJvm.create().property(ENABLED, "false"), ENABLED + "=false");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FLAMESPAN_ENABLED=false",
        "ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_ENABLED=false",
        "OTEL_SDK_DISABLED=true",
        "JAVA_TOOL_OPTIONS=-Dfoo=1 -D" + ENABLED + "=false"
      })
  void off_byEnvironment_isLikely(String variable) {
    assertLikely(PatientJvm.create().under("env", variable), variable.replaceAll(".*-D", ""));
  }

  private static void assertLikely(ChildJvm jvm, String seen) {
    DoctorReport report = PatientJvm.examine(jvm);

    assertNoLibrary(report);
    report.says("warning", "plugin.enabled");
    report.saw("plugin.enabled", "likely switched off: ", seen);
    report.advises("plugin.enabled", "auto or true");
  }

  @Test
  void enabled_falseAsApplicationArgument_isIgnored() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "-D" + ENABLED + "=false");

    report.says("ok", "inside.state");
    assertThat(report.checks()).doesNotContainKey("plugin.enabled");
  }

  @Test
  void sdk_notAutoconfigured_isNoFault() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "no-sdk");

    assertNoLibrary(report);
    report.says("warning", "plugin.jar");
    assertThat(report.check("plugin.jar").seen()).startsWith("likely in use: /");
  }

  @Test
  void options_inAFile_areNotGuessed() throws IOException {
    Path options = Files.writeString(directory.resolve("options"), "-D" + ENABLED + "=false\n");

    assertNoLibrary(
        PatientJvm.examine(PatientJvm.create().jvmArgument("-XX:VMOptionsFile=" + options)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"socket.dir", "native.dir"})
  void directory_thatCannotBeCreated_isInTheProperty(String setting) {
    assertNoLibrary(PatientJvm.examine(PatientJvm.create().setting(setting, "/proc/directory")));
  }

  @Test
  void process_stopped_isExaminedAndReportedAsStopped() throws Exception {
    try (DoctorPatient patient = PatientJvm.start()) {
      String pid = Long.toString(patient.pid());
      patient.stop();

      DoctorReport report = patient.examine().exited(2);
      report.says("warning", "process.stopped");
      report.advises("process.stopped", "SIGCONT");
      report.says("could not look", "inside.answer");
      report.saw("threads.records", "1 show a trace now");

      assertThat(new ProcessBuilder("kill", "-CONT", pid).start().waitFor()).isZero();
      assertThat(patient.examine().verdict("inside.answer")).isEqualTo("ok");
    }
  }
}
