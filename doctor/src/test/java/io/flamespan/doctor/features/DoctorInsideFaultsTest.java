/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.features;

import static io.flamespan.correlation.testing.CorrelatedSdk.PREFIX;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.PatientApp;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.DoctorReport;
import io.flamespan.correlation.testing.NotInEmulation;
import java.nio.file.Files;
import java.nio.file.Path;
import jnr.unixsocket.UnixDatagramChannel;
import jnr.unixsocket.UnixSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Promise: if a running plug-in does less than it could, the doctor reports the reason and a
 * remedy.
 */
@NotInEmulation("reading an emulated process reads the memory of the emulator")
class DoctorInsideFaultsTest {
  @Test
  void context_usedBeforeTheSdk_isAFault() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "context-first");

    report.hasFault("inside.context-storage", "registerContextStorage()", "Follow this advice");
    report.saw("threads.records", "0 show a trace now");
    report.advises("threads.records", "inside.context-storage");
  }

  /** What is wrong is a fault of {@link PatientApp}, or a property of the JVM. */
  @ParameterizedTest
  @CsvSource({
    "two-sdks, inside.sdks, 1 more SDK, one SDK per process",
    "sampler-set-in-code, inside.spans, sampler is not wrapped, addSamplerCustomizer",
    "other-process-context, inside.contexts, that of another library, one of the two",
    "other-process-context, inside.contexts, thread contexts off, one of the two",
    "otel.traces.sampler=always_off, inside.spans, no local root span, otel.traces.sampler",
    "otel.traces.exporter=none, inside.exporters, no span processor, otel.traces.exporter",
    PREFIX
        + "process.context.enabled=false, inside.contexts, process context disabled, "
        + PREFIX
        + "process.context.enabled"
  })
  void part_thatDoesLess_isAWarning(String wrong, String id, String seen, String remedy) {
    DoctorReport report = PatientJvm.examine(PatientJvm.create().jvmArgument("-D" + wrong), wrong);

    report.hasWarning(id, seen, remedy);
    report.says("ok", "inside.state");
  }

  @Test
  void worker_thatHangs_isPossible() throws Exception {
    try (DoctorPatient patient =
        DoctorPatient.start(PatientJvm.create().command(PatientApp.class, "hanging-worker"))) {
      DoctorReport report = patient.examine();

      report.says("could not look", "inside.answer");
      report.advises("inside.answer", "flamespan-worker");
      report.exited(2);
    }
  }

  @Test
  void socket_thatAnotherProcessHasTaken_isNotOk() throws Exception {
    try (DoctorPatient patient = PatientJvm.start();
        UnixDatagramChannel other = UnixDatagramChannel.open()) {
      Path socket = Path.of(patient.examine().check("socket.path").seen());
      Files.delete(socket);
      other.bind(new UnixSocketAddress(socket.toFile()));

      DoctorReport report = patient.examine();
      report.says("could not look", "socket.bound");
      report.saw("socket.bound", "another process may receive");
      report.advises("socket.bound", "ss -xlp");
      report.exited(2);
      Files.delete(socket);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads need Java 21")
  void virtualThreads_disabled_isAWarning() {
    String setting = CorrelatedSdk.PREFIX + "virtual.threads.enabled";

    DoctorReport report = PatientJvm.examine(PatientJvm.create().property(setting, "false"));

    report.hasWarning("inside.virtual-threads", "disabled", setting + " to true");
  }

  @Test
  void plugin_stoppedWithItsSdk_isTheOnlyFinding() {
    DoctorReport report = PatientJvm.examine(PatientJvm.create(), "closed");

    report.hasFault("inside.off", "stopped, ", "The SDK was shut down");
    assertThat(report.check("inside.off").seen()).endsWith(" ago");
    report.says("not checked", "storage.set");
  }
}
