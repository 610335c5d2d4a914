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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: the table of a host is complete or says that it is not, and hung processes barely delay
 * it.
 */
@NotInEmulation("reading an emulated process reads the memory of the emulator")
class DoctorTableTest {
  // With -Dtest.fleet=200, the host has 200 JVMs, 20 of which hang.
  private static final int FLEET = Integer.getInteger("test.fleet", 24);

  // In a small fleet, a larger share hangs.
  private static final int ONE_HUNG_OF = FLEET < 100 ? 2 : 10;

  @TempDir Path directory;

  private volatile boolean isPrinted;

  @Test
  void table_withoutAnyJvm_couldNotLook() {
    DoctorReport report = inPidNamespace("", List.of("--json")).exited(2);
    assertThat(report.output()).contains("[{\"error\":\"No Java process is visible here");
  }

  @Test
  void table_behindHidepid_saysWhatIsHidden() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String asNobody = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
    NativeProgram.assumeWorks(
        "needs root, setpriv and a JDK readable by all",
        "sh",
        "-c",
        "cd /; " + asNobody + java + " -version");
    String jar = Files.copy(Path.of(DoctorReport.jar()), directory.resolve("a.jar")).toString();
    String hide = "mount -t proc -o hidepid=2 proc /proc; set -- " + asNobody + "\"$@\"; ";

    DoctorReport report = inPidNamespace(jar, hide, List.of("--json")).exited(2);
    assertThat(report.output()).contains("[{\"error\":\"", "hidepid", "CAP_SYS_PTRACE");
    assertThat(inPidNamespace(jar, hide, List.of("1", "--json")).output())
        .contains("There is no process 1 here", "hidepid");
  }

  private static DoctorReport inPidNamespace(String script, List<String> arguments) {
    return inPidNamespace(DoctorReport.jar(), script, arguments);
  }

  private static DoctorReport inPidNamespace(String jar, String script, List<String> arguments) {
    NativeProgram.assumeWorks(
        "needs root and unshare for namespaces", "unshare", "--pid", "--fork", "true");
    List<String> prefix = new ArrayList<>(List.of("unshare", "--pid", "--fork", "--mount-proc"));
    prefix.addAll(List.of("sh", "-c", script + "\"$@\"; exit $?", "sh"));
    return DoctorReport.run(jar, prefix, arguments);
  }

  /**
   * Half of the hung processes are stopped; the others run but do not answer. The doctor waits for
   * all of them at the same time.
   */
  @Test
  void table_ofAFleetWithHungProcesses_isComplete() throws Exception {
    List<DoctorPatient> fleet = new ArrayList<>();
    try {
      for (int i = 0; i < FLEET; i++) {
        fleet.add(
            i % ONE_HUNG_OF == 0 ? hung(i / ONE_HUNG_OF) : DoctorPatient.start(IdleApp.command()));
      }
      Future<Long> most = CompletableFuture.supplyAsync(this::mostWaitingAtOnce);
      String output = DoctorReport.run(List.of(), List.of()).output();
      isPrinted = true;

      assertThat(most.get()).as(output).isGreaterThan(FLEET / ONE_HUNG_OF / 2);
      for (int i = 0; i < FLEET; i++) {
        String verdict =
            i % ONE_HUNG_OF != 0 ? "not checked +library.mapped" : "could not look +inside.answer";
        assertThat(output).containsPattern("(?m)^ *" + fleet.get(i).pid() + "  java .* " + verdict);
      }
    } finally {
      for (DoctorPatient patient : fleet) {
        patient.close();
      }
    }
  }

  /** Returns how many threads of a doctor have waited for an answer at the same time. */
  private long mostWaitingAtOnce() {
    long most = 0;
    while (!isPrinted) {
      for (ProcessHandle child : ProcessHandle.current().descendants().toList()) {
        most = Math.max(most, threadsThatWait(Path.of("/proc", child.pid() + "", "task")));
      }
    }
    return most;
  }

  private static long threadsThatWait(Path threads) {
    try (Stream<Path> all = Files.list(threads)) {
      return all.filter(thread -> name(thread).startsWith("doctor: what ha")).count();
    } catch (IOException | UncheckedIOException e) {
      return 0; // it has ended
    }
  }

  private static String name(Path thread) {
    try {
      return Files.readString(thread.resolve("comm"));
    } catch (IOException e) {
      return "";
    }
  }

  private DoctorPatient hung(int number) throws IOException {
    String[] faults = number % 2 == 0 ? new String[] {"hanging-worker"} : new String[0];
    // The doctor looks for the socket in this directory.
    Path temporary = Files.createDirectory(directory.resolve(Integer.toString(number)));
    ChildJvm jvm = PatientJvm.create().property("java.io.tmpdir", temporary.toString());
    DoctorPatient patient = DoctorPatient.start(jvm.command(PatientApp.class, faults));
    if (number % 2 != 0) {
      patient.stop();
    }
    return patient;
  }
}
