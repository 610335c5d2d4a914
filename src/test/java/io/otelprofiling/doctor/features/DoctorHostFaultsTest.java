/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.otelprofiling.correlation.apps.PatientApp;
import io.otelprofiling.correlation.testing.ChildJvm;
import io.otelprofiling.correlation.testing.DoctorPatient;
import io.otelprofiling.correlation.testing.DoctorReport;
import io.otelprofiling.correlation.testing.NativeProgram;
import io.otelprofiling.correlation.testing.PatientJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Promise: the doctor names what the host lacks, examines containers, and changes nothing. */
@DisabledIfSystemProperty(
    named = "test.emulated",
    matches = "true",
    disabledReason = "reading an emulated process reads the memory of the emulator")
class DoctorHostFaultsTest {
  private static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
  private static final List<String> PID_NAMESPACE =
      List.of("unshare", "--pid", "--fork", "--mount-proc");

  private Path directory;
  private Path profiler;

  @BeforeEach
  void createFiles() throws IOException {
    directory = Files.createTempDirectory(Path.of("/tmp"), "pc").toRealPath();
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    profiler = Files.copy(Path.of("/bin/sh").toRealPath(), directory.resolve("ebpf-profiler"));
  }

  @AfterEach
  void deleteFiles() {
    NativeProgram.run(List.of("rm", "-rf", directory.toString()));
  }

  private static void assumeNamespaces() {
    NativeProgram.assumeWorks(
        "needs root and unshare for namespaces", "unshare", "-m", "-n", "--pid", "--fork", "true");
  }

  private static void assertWarning(DoctorReport report, String id, String seen, String remedy) {
    assertFound(report, "warning", id, seen, remedy);
  }

  private static void assertFound(
      DoctorReport report, String verdict, String id, String seen, String remedy) {
    assertThat(report.verdict(id)).as(report.output()).isEqualTo(verdict);
    assertThat(report.check(id).seen()).contains(seen);
    assertThat(report.check(id).remedy()).contains(remedy);
  }

  /** Runs the doctor in a new PID namespace, on the shell that first runs the script there. */
  private static DoctorReport inNamespaceAfter(String script) {
    List<String> prefix = new ArrayList<>(PID_NAMESPACE);
    prefix.addAll(List.of("sh", "-c", script + "\"$@\"; exit $?", "sh"));
    return DoctorReport.run(prefix, List.of("1", "--json"));
  }

  @Test
  void profiler_behindAPidNamespace_couldNotBeSeen() {
    assumeNamespaces();

    DoctorReport report = inNamespaceAfter("");

    assertFound(report, "could not look", "host.profiler", "are hidden here", "hostPID: true");
    assertThat(report.verdict("library.mapped")).as("a shell").isEqualTo("could not look");
    assertThat(report.status()).isEqualTo(2);
  }

  private static DoctorReport withKernelSettings(String script) {
    NativeProgram.assumeWorks("needs root and unshare to mount", "unshare", "-m", "true");
    String run = "mount -t tmpfs tmpfs /proc/sys/kernel && " + script + "\"$@\"; exit $?";
    List<String> prefix = List.of("unshare", "-m", "sh", "-c", run, "sh");
    long self = ProcessHandle.current().pid();
    return DoctorReport.run(prefix, List.of(Long.toString(self), "--json"));
  }

  @Test
  void kernel_old_isWarning() {
    DoctorReport report =
        withKernelSettings("echo 4.18.0-553.el8.x86_64 > /proc/sys/kernel/osrelease && ");

    assertWarning(report, "host.kernel", "4.18.0", "Linux 5.10");
  }

  @Test
  void settings_hidden_couldNotBeRead() {
    DoctorReport report = withKernelSettings("");

    assertFound(report, "could not look", "host.kernel", "/osrelease", "file is missing");
    assertFound(report, "could not look", "host.rights", "perf_event_paranoid", "file is missing");
  }

  @Test
  void tracefs_mounted_isRight() {
    String mount = "mkdir -p " + directory + "/t && mount -t tracefs none " + directory + "/t";
    NativeProgram.assumeWorks("needs tracefs", "unshare", "-m", "sh", "-c", mount);
    List<String> prefix = List.of("unshare", "-m", "sh", "-c", mount + " && exec \"$@\"", "sh");
    long self = ProcessHandle.current().pid();
    DoctorReport report = DoctorReport.run(prefix, List.of(Long.toString(self), "--json"));

    assumeTrue(report.verdict("host.profiler").matches("warning|could.*"), "a profiler runs here");
    assertThat(report.verdict("host.tracefs")).as(report.output()).isEqualTo("ok");
  }

  @Test
  void tracefs_behindAPidNamespace_couldNotBeSeen() {
    assumeNamespaces();

    DoctorReport report = inNamespaceAfter("umount -l -a -t tracefs,debugfs; ");

    assertFound(report, "could not look", "host.tracefs", "not mounted here", "on the host");
  }

  @Test
  void profiler_none_isWarning() {
    DoctorReport report = DoctorReport.of(ProcessHandle.current().pid());

    assumeTrue(!report.verdict("host.profiler").equals("ok"), "a profiler runs here");
    assumeTrue(report.verdict("host.profiler").equals("warning"), "the tests do not run on a host");
    assertWarning(report, "host.profiler", "no process looks like", "Start one");
  }

  @Test
  void profiler_ofTheHost_isRight() throws IOException {
    try (DoctorPatient started = startProfiler()) {
      DoctorReport report = started.examine();

      assumeTrue(isProfiler(started, report), "another profiler runs here");
      assumeTrue(
          !report.verdict("host.pid-namespace").equals("warning"),
          "the test does not run on a host");
      assertThat(report.verdict("host.pid-namespace")).as(report.output()).isEqualTo("ok");
    }
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
  void profiler_ofAnotherUser_couldNotBeSeen() throws IOException {
    String jar = jarForNobody();
    List<String> command = new ArrayList<>(AS_NOBODY);
    command.addAll(List.of("sh", "-c", "echo ready; sleep 999; :"));
    try (DoctorPatient profiler = startProfiler();
        DoctorPatient patient = DoctorPatient.start(command)) {
      DoctorReport report =
          DoctorReport.run(jar, AS_NOBODY, List.of(Long.toString(patient.pid()), "--json"));

      assumeTrue(isProfiler(profiler, report), "another profiler runs here");
      assertFound(
          report, "could not look", "host.pid-namespace", "cannot be read", "CAP_SYS_PTRACE");
    }
  }

  private DoctorPatient startProfiler() {
    return DoctorPatient.start(List.of(profiler.toString(), "-c", "echo ready; sleep 999; :"));
  }

  private static boolean isProfiler(DoctorPatient started, DoctorReport report) {
    return report.check("host.profiler").seen().startsWith(started.pid() + " ");
  }

  @Test
  void profiler_withFewTracers_isWarning() {
    assumeNamespaces();
    String started = directory.resolve("started").toString();
    String start = profiler + " -c 'echo > " + started + "; sleep 999; :' -tracers hotspot & ";
    DoctorReport report =
        inNamespaceAfter("mkfifo " + started + "; " + start + "read line < " + started + "; ");

    assertThat(report.check("host.profiler").seen()).contains("ebpf-profiler");
    assertWarning(report, "host.profiler-options", "hotspot", "-tracers all");
  }

  @Test
  void profiler_inAnotherPidNamespace_isUnknown() throws IOException {
    assumeNamespaces();
    String program = profiler.toString();
    List<String> command = List.of(program, "-c", "echo ready; sleep 999; :", "-tracers=all");
    List<String> inNamespace = new ArrayList<>(PID_NAMESPACE);
    inNamespace.addAll(command);
    try (DoctorPatient started = DoctorPatient.start(inNamespace)) {
      DoctorReport report = started.examine();
      long pid = started.handle().children().findFirst().orElseThrow().pid();

      assumeTrue(
          report.check("host.profiler").seen().startsWith(pid + " "), "another profiler runs here");
      assertFound(
          report, "could not look", "host.pid-namespace", "another PID namespace", "--pid=host");
      assertThat(report.verdict("host.profiler-options")).isEqualTo("ok");
    }
  }

  @Test
  void process_ofAnotherUser_saysHowToLookAtIt() throws IOException {
    String jar = jarForNobody();
    try (DoctorPatient patient =
        DoctorPatient.start(PatientJvm.create().command(PatientApp.class))) {
      DoctorReport report =
          DoctorReport.run(jar, AS_NOBODY, List.of(Long.toString(patient.pid()), "--json"));

      assertThat(report.status()).as(report.output()).isEqualTo(2);
      assertThat(report.output())
          .contains("Process " + patient.pid() + " cannot be examined")
          .contains("Run the doctor as root, as the user of the process, or with CAP_SYS_PTRACE");
      DoctorReport table = DoctorReport.run(jar, AS_NOBODY, List.of());
      assertThat(table.status()).isEqualTo(2);
      assertThat(table.output())
          .contains(patient.pid() + " java")
          .contains("cannot be examined. Run the doctor as root");
    }
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
      DoctorReport report = DoctorReport.of(pid);

      assertThat(report.status()).as(report.output()).isZero();
      assertThat(report.check("library.mapped").seen()).startsWith(directory.toString());
      assertThat(report.verdict("library.symbols")).isEqualTo("ok");
      assertThat(report.check("socket.path").seen()).startsWith(directory.toString());
      assertThat(report.check("socket.bound").seen()).startsWith("by this process");
      assertThat(report.verdict("inside.answer")).isEqualTo("ok");
      assertThat(report.check("inside.state").seen()).contains("waiting for a first message");
      assertThat(report.check("threads.records").seen()).contains("1 show a trace now");
    }
  }

  @Test
  void doctor_onlyLooks() throws IOException {
    String log = directory.resolve("calls").toString();
    NativeProgram.assumeWorks("needs strace", "strace", "-f", "-o", log, "true");
    List<String> strace = List.of("strace", "-f", "-qq", "-o", log);
    try (DoctorPatient patient =
        DoctorPatient.start(PatientJvm.create().command(PatientApp.class))) {
      String pid = Long.toString(patient.pid());
      DoctorReport report = DoctorReport.run(strace, List.of(pid, "--json"));

      assertThat(report.verdict("threads.records")).as(report.output()).isEqualTo("ok");
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
