/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.correlation.apps.PatientApp;
import io.otelprofiling.correlation.testing.DoctorPatient;
import io.otelprofiling.correlation.testing.DoctorReport;
import io.otelprofiling.correlation.testing.NativeProgram;
import io.otelprofiling.correlation.testing.OtherWriter;
import io.otelprofiling.correlation.testing.PatientJvm;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * Promise: the doctor names what is wrong with a socket. Unlike the plug-in, the process does not
 * bind its socket again during the test.
 */
@DisabledIfSystemProperty(
    named = "test.emulated",
    matches = "true",
    disabledReason = "reading an emulated process reads the memory of the emulator")
class DoctorSocketFaultsTest {
  private static final int NOBODY = 65534;

  private Path directory;
  private OtherWriter writer;
  private Path socketDir;

  @BeforeEach
  void createDirectory() throws IOException {
    directory = Files.createTempDirectory(Path.of("/tmp"), "pc").toRealPath();
    writer = new OtherWriter(directory);
    socketDir = writer.socket.getParent();
  }

  @AfterEach
  void deleteDirectory() {
    NativeProgram.run(List.of("rm", "-rf", directory.toString()));
  }

  private static void assertFault(DoctorReport report, String id, String seen, String remedy) {
    assertThat(report.status()).as(report.output()).isEqualTo(1);
    assertFound(report, "fault", id, seen, remedy);
  }

  private static void assertFound(
      DoctorReport report, String verdict, String id, String seen, String remedy) {
    assertThat(report.verdict(id)).as(report.output()).isEqualTo(verdict);
    assertThat(report.check(id).seen()).contains(seen);
    assertThat(report.check(id).remedy()).contains(remedy);
  }

  private static void assumeRoot() {
    NativeProgram.assumeWorks("needs root to give files away", "sh", "-c", "test $(id -u) = 0");
  }

  @Test
  void socket_inOrder_isNoFault() throws IOException {
    try (DoctorPatient patient = writer.start()) {
      DoctorReport report = patient.examine();

      assertThat(report.status()).as(report.output()).isZero();
      assertThat(report.verdict("socket.directory")).isEqualTo("ok");
      assertThat(report.verdict("socket.file")).isEqualTo("ok");
      assertThat(report.check("socket.bound").seen()).startsWith("by this process");
    }
  }

  @Test
  void directory_deleted_isNamed() throws IOException {
    try (DoctorPatient patient = writer.start()) {
      Files.delete(writer.socket);
      Files.delete(socketDir);

      assertFault(
          patient.examine(), "socket.directory", socketDir + "/ does not exist", "Create it");
    }
  }

  @Test
  void directory_replacedByLink_isNamed() throws IOException {
    try (DoctorPatient patient = writer.start()) {
      Path elsewhere = directory.resolve("elsewhere");
      Files.move(socketDir, elsewhere);
      Files.createSymbolicLink(socketDir, elsewhere);

      assertFound(
          patient.examine(),
          "warning",
          "socket.directory",
          "leads over a symbolic link",
          "publish the real path");
    }
  }

  @Test
  void directory_ofAnotherUser_isNamed() throws IOException {
    assumeRoot();
    try (DoctorPatient patient = writer.start()) {
      Files.setAttribute(socketDir, "unix:uid", NOBODY);

      assertFound(
          patient.examine(),
          "warning",
          "socket.directory",
          "user 65534, group 0, mode 755, and the process is of another user",
          "belongs to the user of the process");
    }
  }

  @Test
  void directory_writableByOthers_isWarning() throws IOException {
    try (DoctorPatient patient = writer.start()) {
      Files.setPosixFilePermissions(socketDir, PosixFilePermissions.fromString("rwxrwxrwx"));
      DoctorReport report = patient.examine();

      assertThat(report.status()).isZero();
      assertFound(report, "warning", "socket.directory", "mode 777", "mode 700");
    }
  }

  @Test
  void file_deleted_isNamed() throws IOException {
    try (DoctorPatient patient = writer.start()) {
      Files.delete(writer.socket);

      assertFault(patient.examine(), "socket.file", writer.socket + " does not exist", "cleanup");
    }
  }

  @Test
  void file_replacedByPlainFileOrLink_isNamed() throws IOException {
    try (DoctorPatient patient = writer.start()) {
      Path moved = Files.move(writer.socket, directory.resolve("moved"));
      Files.createFile(writer.socket);
      assertFault(patient.examine(), "socket.file", "is not a socket", "Remove this file");

      Files.delete(writer.socket);
      Files.createSymbolicLink(writer.socket, moved);
      assertFault(patient.examine(), "socket.file", "is not a socket", "Remove this file");
    }
  }

  @Test
  void file_ofAnotherUser_isNoFaultForRoot() throws IOException {
    assumeRoot();
    try (DoctorPatient patient = writer.start()) {
      Files.setAttribute(writer.socket, "unix:uid", NOBODY);

      assertFound(patient.examine(), "ok", "socket.file", "user 65534", "");
    }
  }

  @Test
  void file_leftByEndedProcess_isBoundByNobody() throws IOException {
    writer.start().close();
    try (DoctorPatient patient = writer.start("-DUNBOUND")) {
      assertFault(
          patient.examine(), "socket.bound", "no socket is bound to it", "restart this process");
    }
  }

  @Test
  void file_ofAnotherProcess_isBoundByIt() throws IOException {
    List<String> other = new ArrayList<>(writer.command());
    Path copy = Files.copy(Path.of(other.get(0)), directory.resolve("other"));
    Path library = directory.resolve("other.so");
    Files.copy(Path.of(other.get(1)), library);
    assertThat(copy.toFile().setExecutable(true)).isTrue();
    List<String> command = List.of(copy.toString(), library.toString(), other.get(2));
    try (DoctorPatient owner = DoctorPatient.start(command);
        DoctorPatient patient = writer.start("-DUNBOUND")) {
      assertThat(owner.handle().isAlive()).isTrue();
      assertFault(patient.examine(), "socket.bound", "another process has bound it", "ss -xlp");
    }
  }

  @Test
  void file_ofOneOfTwoSockets_couldNotBeDecided() throws IOException {
    List<String> other = new ArrayList<>(writer.command());
    try (DoctorPatient patient = DoctorPatient.start(other)) {
      Files.delete(writer.socket);
      try (DoctorPatient second = DoctorPatient.start(other)) {
        assertThat(second.handle().isAlive()).isTrue();
        DoctorReport report = patient.examine();

        assertThat(report.status()).as(report.output()).isEqualTo(2);
        assertFound(
            report, "could not look", "socket.bound", "several sockets have this path", "ss -xlp");
      }
    }
  }

  @Test
  void file_whoseLineAnotherSocketImitates_isNoFault() throws IOException {
    String line = "x\n0: 2 0 0 0001 01 99 " + writer.socket; // a path ends a line of the table
    Path imitation = directory.resolve(line);
    Files.createDirectories(imitation.getParent());
    try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      other.bind(UnixDomainSocketAddress.of(imitation));
      try (DoctorPatient patient = writer.start()) {
        assertFound(
            patient.examine(), "could not look", "socket.bound", "several sockets", "ss -xlp");
      }
    }
  }

  @Test
  void path_longerThanTheLimit_isNamed() throws IOException {
    Path longName = directory.resolve("d".repeat(95 - directory.toString().length() - 8));
    OtherWriter other = new OtherWriter(directory, "gcc", longName.resolve("a.sock"));
    assertThat(other.socket.toString()).hasSize(95);
    try (DoctorPatient patient = other.start()) {
      assertFault(
          patient.examine(), "storage.layout", "the socket path has 95 bytes", "paths of 89 bytes");
    }
  }

  @Test
  void path_relative_isNamed() throws IOException {
    try (DoctorPatient patient = writer.start("-DRELATIVE_PATH")) {
      assertFault(patient.examine(), "socket.path", "a.sock is not absolute", "the real path");
    }
  }

  @Test
  void socket_ofAnotherType_isNamed() throws IOException {
    try (DoctorPatient patient = writer.start("-DSTREAM")) {
      assertFault(patient.examine(), "socket.bound", "not a datagram socket", "SOCK_DGRAM");
    }
  }

  @Test
  void queueOfNetworkNamespace_short_isReadThere() throws IOException {
    try (DoctorPatient patient = withQueue(11)) {
      DoctorReport report = patient.examine();

      assertThat(report.status()).as(report.output()).isZero();
      assertThat(report.check("socket.bound").seen()).startsWith("by this process");
      assertFound(
          report, "warning", "socket.queue", "max_dgram_qlen is 11", "net.unix.max_dgram_qlen to");
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
