/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.PatientApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.DoctorReport;
import io.flamespan.correlation.testing.NativeProgram;
import io.flamespan.correlation.testing.NotInEmulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: the doctor examines containers and processes of others, and changes nothing. */
@NotInEmulation("reading an emulated process reads the memory of the emulator")
class DoctorContainersTest {
  private static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
  private static final List<String> PID_NAMESPACE =
      List.of("unshare", "--pid", "--fork", "--mount-proc");

  @TempDir Path directory;

  @BeforeEach
  void createFiles() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void assumeNamespaces() {
    NativeProgram.assumeWorks(
        "needs root and unshare for namespaces", "unshare", "-m", "-n", "--pid", "--fork", "true");
  }

  private String jarForNobody() throws IOException {
    List<String> java = new ArrayList<>(AS_NOBODY);
    java.addAll(
        List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-version"));
    NativeProgram.assumeWorks(
        "needs root, setpriv and a JDK readable by all", java.toArray(new String[0]));
    return Files.copy(Path.of(DoctorReport.jar()), directory.resolve("a.jar")).toString();
  }

  @Test
  void process_ofAnotherUser_saysHowToLookAtIt() throws IOException {
    String jar = jarForNobody();
    try (DoctorPatient patient = PatientJvm.start()) {
      DoctorReport report =
          DoctorReport.run(jar, AS_NOBODY, List.of(Long.toString(patient.pid()), "--json"))
              .exited(2);
      assertThat(report.output())
          .contains("Process " + patient.pid() + " cannot be examined")
          .contains(
              "Run the doctor as the user of the process, or as root on the host with CAP_SYS_PTRACE");
      DoctorReport table = DoctorReport.run(jar, AS_NOBODY, List.of());
      assertThat(table.status()).isEqualTo(2);
      assertThat(table.output())
          .contains(patient.pid() + " java")
          .contains("cannot be examined. Run the doctor as the user");
    }
  }

  @Test
  void process_inAUserNamespace_isExaminedFromOutside() throws IOException {
    NativeProgram.assumeWorks("needs user namespaces", "unshare", "-Ur", "true");
    List<String> command = new ArrayList<>(List.of("unshare", "-Ur"));
    command.addAll(new OtherWriter(directory).command());
    try (DoctorPatient patient = DoctorPatient.start(command)) {
      DoctorReport report = patient.examine().exited(0);
      report.saw("threads.records", "2 show a trace now");
      report.says("ok", "socket.file");
    }
  }

  @Test
  void process_inAnotherRoot_isExaminedThere() throws IOException {
    NativeProgram.assumeWorks("needs root for chroot", "chroot", "/", "true");
    OtherWriter writer = new OtherWriter(directory);
    List<String> command = new ArrayList<>(List.of("chroot", directory.toString()));
    for (String path : writer.command()) {
      command.add("/" + directory.relativize(Path.of(path)));
    }
    copyLibc();
    try (DoctorPatient patient = DoctorPatient.start(command)) {
      DoctorReport report = patient.examine();

      report.withoutFault();
      assertThat(report.check("socket.path").seen()).isEqualTo("/d/a.sock");
      report.says("ok", "socket.file");
    }
  }

  /** Copies the C library and its loader to where a program in the directory finds them. */
  private void copyLibc() {
    String copy = "ldd " + directory + "/writer | grep -o '/[^ ]*' | xargs cp --parents -L -t ";
    assertThat(NativeProgram.run(List.of("sh", "-c", copy + directory)).status()).isZero();
  }

  @Test
  void process_inContainer_isExaminedFromOutside() throws IOException {
    assumeNamespaces();
    String mount = "mount -t tmpfs tmpfs " + directory + " && exec \"$@\"";
    ChildJvm contained =
        PatientJvm.create()
            .under(PID_NAMESPACE.toArray(new String[0]))
            .under("--mount", "--net", "sh", "-c", mount, "sh")
            .property("java.io.tmpdir", directory.toString());
    try (DoctorPatient patient = DoctorPatient.start(contained.command(PatientApp.class))) {
      long pid = patient.handle().children().findFirst().orElseThrow().pid();
      DoctorReport report = DoctorReport.of(pid).exited(0);
      assertThat(report.check("library.mapped").seen()).startsWith(directory.toString());
      report.says("ok", "library.symbols");
      assertThat(report.check("socket.path").seen()).startsWith(directory.toString());
      assertThat(report.check("socket.bound").seen()).startsWith("by this process");
      report.says("ok", "inside.answer");
      report.saw("inside.state", "waiting for a first message");
      report.saw("threads.records", "1 show a trace now");
    }
  }

  @Test
  void doctor_onlyLooks() throws IOException {
    String log = directory.resolve("calls").toString();
    NativeProgram.assumeWorks("needs strace", "strace", "-f", "-o", log, "true");
    List<String> strace = List.of("strace", "-f", "-qq", "-o", log);
    try (DoctorPatient patient = PatientJvm.start()) {
      String pid = Long.toString(patient.pid());
      DoctorReport report = DoctorReport.run(strace, List.of(pid, "--json"));

      report.says("ok", "threads.records");
      List<String> calls = Files.readAllLines(Path.of(log));
      assertThat(calls).anyMatch(call -> call.matches(".*open.*\"/proc/" + pid + "/mem\".*"));
      assertThat(calls)
          .noneMatch(call -> call.matches("\\d+ +(ptrace|process_vm_writev|process_madvise)\\(.*"))
          .noneMatch(call -> call.matches("\\d+ +(t?kill|rt_t?g?sigqueueinfo)\\(" + pid + ".*"))
          .noneMatch(call -> call.matches("\\d+ +tgkill\\(" + pid + ",.*"))
          .noneMatch(
              call ->
                  call.matches(
                      "\\d+ +(open|creat).*\"/proc/" + pid + "/.*(O_WRONLY|O_RDWR|O_CREAT).*"));
    }
  }
}
