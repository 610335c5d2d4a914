/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.features;

import static io.otelprofiling.correlation.testing.PatientJvm.assertFault;
import static io.otelprofiling.correlation.testing.PatientJvm.assertWarning;
import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.correlation.apps.PatientApp;
import io.otelprofiling.correlation.apps.TwoClassLoadersApp;
import io.otelprofiling.correlation.testing.ChildJvm;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.DoctorPatient;
import io.otelprofiling.correlation.testing.DoctorReport;
import io.otelprofiling.correlation.testing.NativeProgram;
import io.otelprofiling.correlation.testing.PatientJvm;
import io.otelprofiling.correlation.testing.StatusText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jnr.unixsocket.UnixDatagramChannel;
import jnr.unixsocket.UnixSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Promise: if a running plug-in does less than it could, the doctor reports the reason and a
 * remedy.
 */
@DisabledIfSystemProperty(
    named = "test.emulated",
    matches = "true",
    disabledReason = "reading an emulated process reads the memory of the emulator")
class DoctorInsideFaultsTest {
  @Test
  void context_usedBeforeTheSdk_isAFault() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "context-first");

    assertFault(report, "inside.context-storage", "registerContextStorage()", "Follow this advice");
    assertThat(report.check("threads.records").seen()).contains("0 show a trace now");
    assertThat(report.check("threads.records").remedy()).contains("inside.context-storage");
  }

  @Test
  void secondSdk_inTheProcess_isAWarning() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "two-sdks");

    assertWarning(report, "inside.sdks", "1 more SDK", "one SDK per process");
    assertThat(report.verdict("inside.state")).isEqualTo("ok");
  }

  @Test
  void secondClassLoader_withThePlugin_isAWarning() throws IOException {
    ChildJvm jvm = PatientJvm.create();
    try (DoctorPatient patient =
        DoctorPatient.start(jvm.command(TwoClassLoadersApp.class, "no-shutdown", "stay"))) {
      DoctorReport report = patient.examine();

      assertWarning(report, "inside.class-loaders", "2 class loaders", "java.net.URLClassLoader@");
      assertThat(report.check("inside.class-loaders").seen()).contains("runs in 1 of them");
      assertThat(report.checks()).doesNotContainKey("library.copies");
    }
  }

  @Test
  void worker_thatHangs_isTheHeadline() throws Exception {
    try (DoctorPatient patient =
        DoctorPatient.start(PatientJvm.create().command(PatientApp.class, "hanging-worker"))) {
      DoctorReport report = patient.examine();

      assertFault(report, "inside.answer", "has not answered", "otel-profiling-correlation");
      assertThat(DoctorReport.run(List.of(), List.of()).output())
          .containsPattern(patient.pid() + " .*fault +inside.answer");
    }
  }

  @Test
  void socket_thatAnotherProcessHasTaken_isAFault() throws Exception {
    try (DoctorPatient patient =
            DoctorPatient.start(PatientJvm.create().command(PatientApp.class));
        UnixDatagramChannel other = UnixDatagramChannel.open()) {
      Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
      Path status = StatusText.files(temporary, patient.pid()).get(0);
      Path socket = Path.of(StatusText.read(status).get("socket"));
      Files.delete(socket);
      other.bind(new UnixSocketAddress(socket.toFile()));

      assertFault(
          patient.examine(), "socket.bound", "another socket has taken its place", "ss -xlp");
      Files.delete(socket);
    }
  }

  @Test
  void status_thatCannotBeWritten_isNotAFaultOfTheSdk() throws Exception {
    Path readOnly = Files.createTempDirectory(Path.of("/tmp"), "pc");
    try {
      NativeProgram.assumeWorks("needs root and unshare to mount", "unshare", "-m", "true");
      String mount = "mount -t tmpfs -o ro tmpfs " + readOnly + " && exec \"$@\"";
      ChildJvm jvm =
          PatientJvm.create()
              .under("unshare", "-m", "sh", "-c", mount, "sh")
              .property("java.io.tmpdir", readOnly.toString());
      DoctorReport report = PatientJvm.examine(jvm);

      assertThat(report.verdict("inside.state")).as(report.output()).isEqualTo("could not look");
      assertThat(report.check("inside.state").seen()).contains("mounted read-only");
      assertThat(report.check("inside.state").remedy()).contains("java.io.tmpdir");
    } finally {
      Files.delete(readOnly);
    }
  }

  @Test
  void sampler_thatDropsAll_isAWarning() {
    ChildJvm jvm = PatientJvm.create().property("otel.traces.sampler", "always_off");

    DoctorReport report = PatientJvm.examine(jvm);

    assertWarning(report, "inside.spans", "no local root span", "otel.traces.sampler");
  }

  @Test
  void sampler_setInCode_isAWarning() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "sampler-set-in-code");

    assertWarning(report, "inside.spans", "sampler is not wrapped", "addSamplerCustomizer");
  }

  @Test
  void exporter_none_isAFault() {
    ChildJvm jvm = PatientJvm.create().property("otel.traces.exporter", "none");

    DoctorReport report = PatientJvm.examine(jvm);

    assertFault(report, "inside.exporters", "no span processor", "otel.traces.exporter");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads need Java 21")
  void virtualThreads_disabled_isAWarning() {
    String setting = CorrelatedSdk.PREFIX + "virtual.threads.enabled";

    DoctorReport report = PatientJvm.examine(PatientJvm.create().property(setting, "false"));

    assertWarning(report, "inside.virtual-threads", "disabled", setting + " to true");
  }

  @Test
  void processContext_disabled_isAWarning() {
    String setting = CorrelatedSdk.PREFIX + "process.context.enabled";

    DoctorReport report = PatientJvm.examine(PatientJvm.create().property(setting, "false"));

    assertWarning(report, "context.mapped", "the plug-in reports: disabled", setting);
  }

  @Test
  void processContext_ofAnotherLibraryBefore_isAWarning() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "other-process-context");

    assertWarning(report, "context.mapped", "belongs to another library", "one of the two");
    assertThat(report.check("context.decodes").seen()).contains("resource {}");
    assertThat(report.check("inside.contexts").seen()).contains("thread contexts off");
  }

  @Test
  void processContext_ofAnotherLibraryAfter_isAWarning() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "other-process-context-later");

    assertWarning(report, "context.mapped", "2 process contexts", "one of the two");
  }
}
