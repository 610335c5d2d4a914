/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flamespan.correlation.apps.PatientApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.DoctorReport;
import io.flamespan.correlation.testing.HangingFiles;
import io.flamespan.correlation.testing.NativeProgram;
import io.flamespan.correlation.testing.NotInEmulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: whatever surrounds a process, the doctor says only what it saw, and ends. */
@NotInEmulation("reading an emulated process reads the memory of the emulator")
class DoctorSituationsTest {
  private static final String FAULT = "\"verdict\":\"fault\"";

  @TempDir Path directory;

  private DoctorPatient patient(String temporary) {
    return DoctorPatient.start(
        PatientJvm.create().property("java.io.tmpdir", temporary).command(PatientApp.class));
  }

  private static DoctorReport under(DoctorPatient patient, String... prefix) {
    return DoctorReport.run(List.of(prefix), List.of(Long.toString(patient.pid()), "--json"));
  }

  private static void assertWorks(DoctorReport report) {
    report.exited(0);
    report.says("ok", "socket.bound", "inside.answer");
  }

  @Test
  void directory_withoutAsciiInItsName_isReadInEachLocale() throws IOException {
    Path named = Files.createDirectory(directory.resolve("t\u00fc"));
    try (DoctorPatient patient = patient(named.toString())) {
      assertWorks(under(patient, "env", "LC_ALL=C"));
    }
  }

  @Test
  void toolOptions_ofTheEnvironment_areNotUsed() throws IOException {
    try (DoctorPatient patient = patient(directory.toString())) {
      DoctorReport report = under(patient, "env", "JAVA_TOOL_OPTIONS=-Djava.awt.headless=true");

      assertWorks(report);
      assertThat(report.output()).contains("runs without JAVA_TOOL_OPTIONS");
    }
  }

  @Test
  void doctor_withoutTemporaryDirectory_saysThatItCannotSend() throws IOException {
    try (DoctorPatient patient = patient(directory.toString())) {
      DoctorReport report = DoctorReport.in(directory.resolve("none"), patient.pid());

      report.says("could not look", "socket.bound");
      report.advises("socket.bound", "java.io.tmpdir");
      report.withoutFault();
    }
  }

  @Test
  void doctor_withFewDescriptorsAndLittleHeap_examines() throws IOException {
    try (DoctorPatient patient = patient(directory.toString())) {
      String limited = "ulimit -n 40; exec \"$@\"";

      assertWorks(under(patient, "sh", "-c", limited, "sh"));
    }
  }

  @Test
  void temporaryDirectory_readOnly_isNoFault() throws IOException {
    NativeProgram.assumeWorks("needs root and unshare to mount", "unshare", "-m", "true");
    String mount = "mount -t tmpfs -o ro tmpfs " + directory + " && exec \"$@\"";
    ChildJvm jvm =
        PatientJvm.create()
            .under("unshare", "-m", "sh", "-c", mount, "sh")
            .property("java.io.tmpdir", directory.toString());

    DoctorReport report = PatientJvm.examine(jvm);

    report.says("could not look", "library.mapped");
    report.withoutFault();
  }

  @Test
  void fileSystem_thatHangs_isUnknown() throws IOException {
    try (HangingFiles files = HangingFiles.served();
        DoctorPatient patient = patient(files.directory().toString())) {
      files.hang();
      try {
        DoctorReport report = patient.examine().exited(2);
        assertThat(report.output()).doesNotContain(FAULT).contains("does not answer in time");
        report.says("could not look", "socket.file");
        report.says("ok", "process.stopped");
      } finally {
        files.answer();
      }
    }
  }

  @Test
  void process_frozen_isNotBlamed() throws IOException {
    Path old = Path.of("/sys/fs/cgroup/freezer");
    Path group = (Files.exists(old) ? old : old.getParent()).resolve(directory.getFileName());
    NativeProgram.assumeWorks("needs root and a cgroup", "mkdir", group.toString());
    try (DoctorPatient patient = patient(directory.toString())) {
      Path state = group.resolve(Files.exists(old) ? "freezer.state" : "cgroup.freeze");
      Files.writeString(group.resolve("cgroup.procs"), Long.toString(patient.pid()));
      Files.writeString(state, Files.exists(old) ? "FROZEN" : "1");
      try {
        DoctorReport report = patient.examine().exited(2);
        report.saw("process.stopped", "frozen");
        report.says("could not look", "inside.answer");
        report.withoutFault();
      } finally {
        Files.writeString(state, Files.exists(old) ? "THAWED" : "0");
      }
      assertWorks(patient.examine());
    } finally {
      NativeProgram.run(List.of("rmdir", group.toString()));
    }
  }

  @Test
  void socket_takenFromAnotherNetworkNamespace_isNotOk() throws IOException {
    NativeProgram.assumeWorks("needs root and unshare", "unshare", "-n", "true");
    try (DoctorPatient patient = patient(directory.toString())) {
      DoctorReport before = patient.examine();
      assertWorks(before);
      Path socket = Path.of(before.check("socket.path").seen());
      List<String> command = new ArrayList<>(List.of("unshare", "-n"));
      Files.delete(socket);
      command.addAll(new OtherWriter(directory, "gcc", socket).command());
      try (DoctorPatient other = DoctorPatient.start(command)) {
        assertThat(other.handle().isAlive()).isTrue();
        DoctorReport report = patient.examine();

        report.says("could not look", "socket.bound");
        report.saw("socket.bound", "another process");
      }
    }
  }

  @Test
  void socketFile_thatWasTouched_isUnknown() throws Exception {
    try (DoctorPatient patient = patient(directory.toString())) {
      Path socket = Path.of(patient.examine().check("socket.path").seen());
      Files.setLastModifiedTime(socket, FileTime.from(Instant.now().plusSeconds(3600)));
      DoctorReport report = patient.examine();

      report.says("not checked", "socket.bound");
      report.saw("inside.answer", "is newer than the socket");

      patient.stop();
      report = patient.examine();
      report.says("could not look", "inside.answer");
      report.withoutFault();
    }
  }

  @Test
  void leader_thatHasEnded_doesNotHideTheProcess() throws IOException {
    try (DoctorPatient patient = new OtherWriter(directory).start("-DLEADER_ENDS")) {
      DoctorReport report = patient.examine().exited(0);
      report.says("ok", "library.tls", "socket.file");
      report.saw("threads.records", "1 show a trace now");
    }
  }

  @Test
  void commandLine_hostile_isReadInLinearTime() throws IOException {
    String agents = "dd-java-agent".repeat(9_000);
    List<String> command = new ArrayList<>(List.of("sh", "-c", "echo ready; read line; :"));
    command.addAll(List.of(agents, "-p".repeat(50_000), " all".repeat(30_000), "0".repeat(99_999)));
    try (DoctorPatient patient = DoctorPatient.start(command)) {
      DoctorReport report = patient.examine();

      report.saw("library.mapped", "not a running JVM");
    }
  }

  @Test
  void doctor_inAnotherUserNamespace_saysThatItMayNotLook() throws IOException {
    NativeProgram.assumeWorks("needs user namespaces", "unshare", "-Ur", "true");
    try (DoctorPatient patient = patient(directory.toString())) {
      DoctorReport report = under(patient, "unshare", "-Ur").exited(2);
      assertThat(report.output()).contains("Another user namespace").doesNotContain(FAULT);
    }
  }

  @Test
  void setting_ofTheProcess_isReportedWithItsOrigin() throws IOException {
    String setting = CorrelatedSdk.PREFIX + "buffer.size";
    DoctorReport report = PatientJvm.examine(PatientJvm.create().property(setting, "4711"));

    assumeTrue(report.checks().containsKey("inside.settings"), "the plug-in runs");
    report.saw("inside.settings", "buffer.size=4711 (property)");
  }

  @Test
  void process_withALineBreakInItsName_isListed() throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path link = Files.createSymbolicLink(directory.resolve("a) R\nb)"), java);
    ChildJvm jvm = PatientJvm.create().java(link.toString());
    try (DoctorPatient patient = DoctorPatient.start(jvm.command(IdleApp.class))) {
      assertThat(Files.readString(Path.of("/proc", patient.pid() + "", "comm")))
          .isEqualTo("a) R\nb)\n");

      assertThat(DoctorReport.run(List.of(), List.of()).output())
          .containsPattern("(?m)^ *" + patient.pid() + " ");
    }
  }

  /** Neither blanks, line breaks nor letters that the locale lacks confuse the doctor. */
  @Test
  void process_withOddNames_isExaminedInEachLocale() throws IOException {
    String letter = "$(printf '\\303\\244')";
    String script =
        String.format(
            "exec \"$0\" -c 'echo ready; read line; :' -Djava.io.tmpdir=/tmp/%s \"/lib/a b\n%s.jar\"",
            letter, letter);
    Path program = Files.copy(Path.of("/bin/sh").toRealPath(), directory.resolve("o  d"));
    try (DoctorPatient patient =
        DoctorPatient.start(List.of("sh", "-c", script, program.toString()))) {
      DoctorReport report = under(patient, "env", "LC_ALL=C").exited(2); // a shell, not a JVM
      assertThat(report.checks()).containsKey("library.mapped").doesNotContainKey("doctor.error");
    }
  }
}
