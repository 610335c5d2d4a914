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
import java.nio.file.Files;
import java.nio.file.Path;
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
  void worker_thatHangs_isPossible() throws Exception {
    try (DoctorPatient patient =
        DoctorPatient.start(PatientJvm.create().command(PatientApp.class, "hanging-worker"))) {
      DoctorReport report = patient.examine();

      assertThat(report.verdict("inside.answer")).as(report.output()).isEqualTo("could not look");
      assertThat(report.check("inside.answer").remedy()).contains("otel-profiling-correlation");
      assertThat(report.status()).isEqualTo(2);
    }
  }

  @Test
  void socket_thatAnotherProcessHasTaken_isNotOk() throws Exception {
    try (DoctorPatient patient =
            DoctorPatient.start(PatientJvm.create().command(PatientApp.class));
        UnixDatagramChannel other = UnixDatagramChannel.open()) {
      Path socket = Path.of(patient.examine().check("socket.path").seen());
      Files.delete(socket);
      other.bind(new UnixSocketAddress(socket.toFile()));

      DoctorReport report = patient.examine();
      assertThat(report.verdict("socket.bound")).isEqualTo("could not look");
      assertThat(report.check("socket.bound").seen()).contains("another process may receive");
      assertThat(report.check("socket.bound").remedy()).contains("ss -xlp");
      assertThat(report.status()).as(report.output()).isEqualTo(2);
      Files.delete(socket);
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
  void exporter_none_isAWarning() {
    ChildJvm jvm = PatientJvm.create().property("otel.traces.exporter", "none");

    DoctorReport report = PatientJvm.examine(jvm);

    assertWarning(report, "inside.exporters", "no span processor", "otel.traces.exporter");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads need Java 21")
  void virtualThreads_disabled_isAWarning() {
    String setting = CorrelatedSdk.PREFIX + "virtual.threads.enabled";

    DoctorReport report = PatientJvm.examine(PatientJvm.create().property(setting, "false"));

    assertWarning(report, "inside.virtual-threads", "disabled", setting + " to true");
  }

  @Test
  void plugin_stoppedWithItsSdk_isTheOnlyFinding() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "closed");

    assertFault(report, "inside.off", "stopped, ", "The SDK was shut down");
    assertThat(report.check("inside.off").seen()).endsWith(" ago");
    assertThat(report.verdict("storage.set")).isEqualTo("not checked");
  }

  @Test
  void processContext_disabled_isAWarning() {
    String setting = CorrelatedSdk.PREFIX + "process.context.enabled";

    DoctorReport report = PatientJvm.examine(PatientJvm.create().property(setting, "false"));

    assertWarning(report, "inside.contexts", "process context disabled", setting);
  }

  @Test
  void processContext_ofAnotherLibrary_isAWarning() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "other-process-context");

    assertWarning(report, "inside.contexts", "that of another library", "one of the two");
    assertThat(report.check("inside.contexts").seen()).contains("thread contexts off");
  }
}
