/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.PatientApp;
import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.DoctorReport;
import io.flamespan.correlation.testing.NativeProgram;
import io.flamespan.correlation.testing.NotInEmulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: the doctor names what is wrong with a socket. Unlike the plug-in, the process does not
 * bind its socket again during the test.
 */
@NotInEmulation("reading an emulated process reads the memory of the emulator")
class DoctorSocketFaultsTest {
  @TempDir Path directory;
  private OtherWriter writer;
  private Path socketDir;

  @BeforeEach
  void createWriter() {
    writer = new OtherWriter(directory);
    socketDir = writer.socket.getParent();
  }

  @Test
  void socket_inOrder_isNoFault() throws IOException {
    try (DoctorPatient patient = writer.start()) {
      DoctorReport report = patient.examine().exited(0);
      report.says("ok", "socket.file");
      report.says("not checked", "socket.bound").saw("socket.bound", "no refusal was seen");
    }
  }

  @Test
  void fileAndDirectory_deleted_areNamed() throws IOException {
    try (DoctorPatient patient = writer.start()) {
      Files.delete(writer.socket);
      patient.examine().hasFault("socket.file", "does not exist", "cleanup");

      Files.delete(socketDir);
      patient.examine().hasFault("socket.file", "does not exist", "cleanup");
    }
  }

  @Test
  void directory_replacedByLink_isNamed() throws IOException {
    try (DoctorPatient patient = writer.start()) {
      Path elsewhere = directory.resolve("elsewhere");
      Files.move(socketDir, elsewhere);
      Files.createSymbolicLink(socketDir, elsewhere);

      patient
          .examine()
          .hasWarning("socket.file", "leads over a symbolic link", "publish the real path");
    }
  }

  @Test
  void file_replacedByPlainFileOrLink_isNamed() throws IOException {
    try (DoctorPatient patient = writer.start()) {
      Path moved = Files.move(writer.socket, directory.resolve("moved"));
      Files.createFile(writer.socket);
      patient.examine().hasFault("socket.file", "is not a socket", "Remove this file");

      Files.delete(writer.socket);
      Files.createSymbolicLink(writer.socket, moved);
      patient.examine().hasFault("socket.file", "is not a socket", "Remove this file");
    }
  }

  @Test
  void file_leftByEndedProcess_isBoundByNobody() throws IOException {
    writer.start().close();
    try (DoctorPatient patient = writer.start("-DUNBOUND")) {
      patient
          .examine()
          .hasFault("socket.bound", "no socket is bound to it", "restart this process");
    }
  }

  @Test
  void file_ofAnotherProcess_isNotAttributed() throws IOException {
    try (DoctorPatient owner = writer.start();
        DoctorPatient patient = writer.start("-DUNBOUND")) {
      assertThat(owner.handle().isAlive()).isTrue();
      patient
          .examine()
          .says("not checked", "socket.bound")
          .saw("socket.bound", "only this plug-in reports");
    }
  }

  @Test
  void path_longerThanTheLimit_isNamed() throws IOException {
    Path longName = directory.resolve("d".repeat(95 - directory.toString().length() - 8));
    OtherWriter other = new OtherWriter(directory, "gcc", longName.resolve("a.sock"));
    assertThat(other.socket.toString()).hasSize(95);
    try (DoctorPatient patient = other.start()) {
      patient
          .examine()
          .hasFault("storage.layout", "the socket path has 95 bytes", "paths of 89 bytes");
    }
  }

  @Test
  void queueOfNetworkNamespace_short_isReadThere() throws IOException {
    try (DoctorPatient patient = withQueue(11)) {
      DoctorReport report = patient.examine().exited(0);
      assertThat(report.check("socket.bound").seen()).startsWith("by this process");
      report.says("ok", "socket.queue").saw("socket.queue", "11 messages, enough for 20 samples");
    }
  }

  @Test
  void queueOfNetworkNamespace_long_isRight() throws IOException {
    try (DoctorPatient patient = withQueue(512)) {
      assertThat(patient.examine().verdict("socket.queue")).isEqualTo("ok");
    }
  }

  private DoctorPatient withQueue(int length) {
    NativeProgram.assumeWorks(
        "needs root and unshare for a network namespace", "unshare", "-n", "nsenter", "--version");
    String set = "echo " + length + " > /proc/sys/net/unix/max_dgram_qlen && exec \"$@\"";
    List<String> command =
        PatientJvm.create().under("unshare", "-n", "sh", "-c", set, "sh").command(PatientApp.class);
    return DoctorPatient.start(command);
  }
}
