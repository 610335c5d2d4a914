/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.flamespan.correlation.apps.PatientApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.DoctorReport;
import io.flamespan.correlation.testing.NativeProgram;
import io.flamespan.correlation.testing.NotInEmulation;
import io.flamespan.correlation.testing.SharedHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: if the doctor lacks permission to see something, it reports no fault but names the
 * permission.
 */
@NotInEmulation("reading an emulated process reads the memory of the emulator")
class DoctorRightsTest {
  private static final String TRACE = "CAP_SYS_PTRACE";
  private static final String READ = "CAP_DAC_READ_SEARCH";
  private static final List<String> AS_USER =
      List.of("setpriv", "--reuid=61817", "--regid=61817", "--clear-groups");

  @TempDir Path directory;

  @BeforeEach
  void createDirectory() throws IOException {
    NativeProgram.assumeWorks(
        "needs root and setpriv", with("-all", "true").toArray(new String[0]));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Returns a command that runs as root with only some capabilities. */
  private static List<String> with(String capabilities, String... command) {
    List<String> all =
        new ArrayList<>(
            List.of("setpriv", "--bounding-set=" + capabilities, "--inh-caps=" + capabilities));
    all.addAll(List.of(command));
    return all;
  }

  private static DoctorReport examine(
      DoctorPatient patient, String capabilities, String... options) {
    List<String> arguments = new ArrayList<>(List.of(Long.toString(patient.pid()), "--json"));
    arguments.addAll(List.of(options));
    return DoctorReport.run(with(capabilities), arguments);
  }

  private static void assertHidden(DoctorReport report, String right, String... ids) {
    report.exited(2).withoutFault().says("could not look", ids);
    for (String id : ids) {
      report.advises(id, right);
    }
  }

  @Test
  void jvm_withoutTracing_hasNoFault() throws IOException {
    try (DoctorPatient patient = PatientJvm.start()) {
      DoctorReport report = examine(patient, "-sys_ptrace");

      assertThat(report.output()).contains(TRACE);
      assumeFalse(report.checks().isEmpty(), "this kernel hides mappings from CAP_PERFMON");
      assertHidden(report, TRACE, "library.symbols", "library.tls");
      assertThat(report.output()).doesNotContain("another library");
      assertHidden(report, TRACE, "socket.path");
      assertHidden(report, TRACE, "threads.records", "inside.state");
      report.advises("library.tls", "as root on the host with CAP_SYS_PTRACE", "--cap-add");
    }
  }

  @Test
  void jvm_withoutAnyCapability_namesTheRequiredOnes() throws IOException {
    try (DoctorPatient patient = PatientJvm.start()) {
      DoctorReport report = examine(patient, "-all").exited(2);
      assertThat(report.output()).contains("with CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH");
      DoctorReport table = DoctorReport.run(with("-all"), List.of("--json"));
      assertThat(table.output()).contains("{\"error\":\"" + patient.pid() + " java", TRACE);
    }
  }

  @Test
  void jvmOfAnotherUser_withTracingOnly_hasNoFault() throws IOException {
    try (SharedHost host = new SharedHost();
        DoctorPatient patient = patientOf(host)) {
      DoctorReport report = examine(patient, "-all,+sys_ptrace");

      assertHidden(report, READ, "library.symbols", "threads.records");
      assertHidden(report, READ, "inside.state", "socket.path", "library.tls", "storage.set");
      report.says("ok", "library.file");
    }
  }

  @Test
  void socketOfAnotherUser_withoutWriting_couldNotBeAsked() throws IOException {
    try (SharedHost host = new SharedHost();
        DoctorPatient patient = patientOf(host)) {
      DoctorReport report = examine(patient, "-all,+sys_ptrace,+dac_read_search");

      assertHidden(report, "CAP_DAC_OVERRIDE", "socket.bound");
      report.says("ok", "threads.records");
      assertThat(examine(patient, "-sys_nice").status()).isZero();
    }
  }

  private static DoctorPatient patientOf(SharedHost host) {
    ChildJvm jvm =
        host.jvm(SharedHost.USER)
            .property("otel.traces.exporter", "logging")
            .property("otel.service.name", "patient");
    return DoctorPatient.start(jvm.command(PatientApp.class));
  }

  private DoctorPatient writerOfAnotherUser() throws IOException {
    OtherWriter writer = new OtherWriter(directory);
    List<String> command = new ArrayList<>(AS_USER);
    command.addAll(writer.command());
    Files.setAttribute(writer.socket.getParent(), "unix:uid", 61_817);
    return DoctorPatient.start(command);
  }

  @Test
  void rulesForASocket_withoutWriting_couldNotBeChecked() throws IOException {
    try (DoctorPatient patient = writerOfAnotherUser()) {
      DoctorReport report = examine(patient, "-all,+sys_ptrace,+dac_read_search", "--conformance");
      assertHidden(report, "CAP_DAC_OVERRIDE", "socket.bound-before-published");
    }
  }

  @Test
  void socket_inAClosedDirectory_couldNotBeSeen() throws IOException {
    Path outer = Files.createDirectory(directory.resolve("outer"));
    OtherWriter writer = new OtherWriter(directory, "gcc", outer.resolve("d/a.sock"));
    try (DoctorPatient patient = writer.start()) {
      Files.setPosixFilePermissions(
          writer.socket.getParent(), PosixFilePermissions.fromString("rw-------"));
      DoctorReport report = examine(patient, "-dac_override,-dac_read_search");
      assertHidden(report, READ, "socket.file", "socket.bound");

      Files.setPosixFilePermissions(outer, PosixFilePermissions.fromString("rw-------"));
      assertHidden(examine(patient, "-dac_override,-dac_read_search"), READ, "socket.file");
    }
  }
}
