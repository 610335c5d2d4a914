/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.otelprofiling.correlation.apps.PingApp;
import io.otelprofiling.correlation.testing.ChildJvm;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.FakeProfiler;
import io.otelprofiling.correlation.testing.NotInEmulation;
import io.otelprofiling.correlation.testing.SocketLibraries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: if the operating system refuses a call, one line reports it, and the application
 * continues.
 */
class SystemFaultsTest {
  private static final String NATIVE_DIR = CorrelatedSdk.PREFIX + "native.dir";
  private static final String ON = "Profiling correlation is on";

  private Path directory;

  @BeforeEach
  void createDirectory() throws IOException {
    directory = Files.createTempDirectory(Path.of("/tmp"), "pc");
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }

  private ChildJvm app() {
    return new ChildJvm()
        .jvmArgument("-XX:-UsePerfData") // the JVM would write another file
        .property("otel.traces.exporter", "logging")
        .property("otel.metrics.exporter", "none")
        .property("otel.logs.exporter", "none")
        .property(CorrelatedSdk.PREFIX + "socket.dir", directory.toString())
        .property(NATIVE_DIR, directory.resolve("native").toString());
  }

  private static List<String> warnings(ChildJvm.Result result) {
    return result.output().lines().filter(line -> line.startsWith("WARNING: ")).toList();
  }

  private static void assertWentOn(ChildJvm.Result result) {
    result.succeeded();
    assertThat(result.output().split("current: true", -1)).as(result.output()).hasSize(2);
    assertThat(result.output().split("'ping' :", -1)).as(result.output()).hasSize(2);
  }

  private void assertOffWithOneWarning(ChildJvm.Result result, String... contents)
      throws IOException {
    assertWentOn(result);
    result.hasOneWarning(contents);
    assertThat(result.output()).contains("Profiling correlation is off").doesNotContain(ON);
    assertThat(FakeProfiler.sockets(directory)).isEmpty();
  }

  @Test
  @NotInEmulation("an emulator does not filter the system calls of an emulated process")
  void bind_forbidden_isOffWithOneWarning() throws IOException {
    assertOffWithOneWarning(
        app().run(ForbiddenCallsApp.class, "" + Seccomp.EPERM, "bind"),
        "cannot bind",
        "EPERM",
        "seccomp");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @NotInEmulation("an emulator does not filter the system calls of an emulated process")
  void addressFamily_forbidden_isOffWithOneWarningThatNamesTheCause(boolean jnr)
      throws IOException {
    ChildJvm app = app();
    if (jnr) {
      app.firstOnClassPath(SocketLibraries.unusable(directory));
    }
    ChildJvm.Result result = app.run(ForbiddenCallsApp.class, "" + Seccomp.EAFNOSUPPORT, "socket");

    assertOffWithOneWarning(result, "EAFNOSUPPORT", "AF_UNIX", "RestrictAddressFamilies");
    assertThat(warnings(result).get(0)).doesNotContain("another directory");
  }

  @Test
  void nameOfAVariable_mistyped_isReported() {
    ChildJvm.Result result =
        app()
            .environment("ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_SOCKETDIR", "/run/x")
            .run(PingApp.class);
    assertWentOn(result);
    result.hasOneWarning("Did you mean ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_SOCKET_DIR?");
  }

  @Test
  @NotInEmulation("an emulator does not filter the system calls of an emulated process")
  void memoryOfProcessContext_cannotBeNamed_isWithdrawnWithOneWarning() {
    ChildJvm.Result result =
        app().run(ForbiddenCallsApp.class, "" + Seccomp.EPERM, "memfd_create", "prctl");
    assertWentOn(result);
    result.hasOneWarning("process context is not published", "memfd_create", "seccomp");
    assertThat(result.output()).contains(ON);
  }

  @ParameterizedTest
  @ValueSource(ints = {Seccomp.EPERM, Seccomp.ENOSYS})
  @NotInEmulation("an emulator does not filter the system calls of an emulated process")
  void eventfd_forbidden_isOffWithOneWarningThatNamesIt(int errno) throws IOException {
    assertOffWithOneWarning(
        app().run(ForbiddenCallsApp.class, "" + errno, "eventfd2"),
        "eventfd",
        errno == Seccomp.EPERM ? "EPERM" : "ENOSYS",
        "seccomp");
  }

  @ParameterizedTest
  @CsvSource({"sched_setattr, 1", "sched_setattr, 38", "prctl, 1", "prctl, 38"})
  @NotInEmulation("an emulator does not filter the system calls of an emulated process")
  void optionalCall_forbidden_isSkipped(String call, int errno) {
    ChildJvm.Result result = app().run(ForbiddenCallsApp.class, "" + errno, call);
    assertWentOn(result);
    assertThat(warnings(result)).as(result.output()).isEmpty();
    assertThat(result.output()).contains(ON);
  }

  @Test
  @NotInEmulation("an emulator does not filter the system calls of an emulated process")
  void threadLimit_reached_isOffWithOneWarning() throws IOException {
    assertOffWithOneWarning(
        app().run(ForbiddenCallsApp.class, "" + Seccomp.EAGAIN, "clone", "clone3"),
        "the system cannot create a thread",
        "ulimit -u");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void fileLimit_reached_logsOneWarningForEachFeature(int left) throws IOException {
    ChildJvm.Result result =
        app()
            .under("sh", "-c", "ulimit -n 256; exec \"$@\"", "sh")
            .run(FewFilesApp.class, "" + left);
    assertThat(result.output()).contains("limit reached: ");
    if (result.output().contains(ON)) {
      assertWentOn(result);
      // Thread contexts and the process context need a file each; all else is on.
      assertThat(warnings(result))
          .as(result.output())
          .hasSizeLessThanOrEqualTo(2)
          .doesNotHaveDuplicates()
          .allMatch(warning -> warning.contains("Too many open files"));
    } else {
      assertOffWithOneWarning(result, "Profiling correlation is off");
    }
    assertThat(left > 0 || !result.output().contains(ON)).as(result.output()).isTrue();
  }

  @Test
  void file_longerThanAllowed_isOffAndLeavesNothing() throws IOException {
    ChildJvm.Result result =
        app().under("sh", "-c", "ulimit -f 4; exec \"$@\"", "sh").run(PingApp.class);
    assertOffWithOneWarning(result, NATIVE_DIR, "File too large");
    assertThat(filesIn(directory.resolve("native"))).isEmpty();
    assertRuns(app().run(PingApp.class));
  }

  @Test
  void disk_full_isOffAndLeavesNothing() throws Exception {
    assumeTrue(
        new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0,
        "needs root and unshare to mount a full disk");
    Path disk = Files.createDirectory(directory.resolve("native"));
    String mount = "mount -t tmpfs -o size=12k tmpfs " + disk + " && \"$@\"; status=$?;";
    ChildJvm.Result result =
        app()
            .under("unshare", "-m", "sh", "-c", mount + " find " + disk + " -type f; exit $status")
            .under("sh")
            .run(PingApp.class);
    assertOffWithOneWarning(result, NATIVE_DIR, "No space left");
    assertThat(result.output()).doesNotContain("\n" + disk);
    assertRuns(app().run(PingApp.class));
  }

  @ParameterizedTest
  @EnumSource(BadLibrary.class)
  void library_thatCannotBeLoaded_isOffWithOneWarning(BadLibrary bad) throws IOException {
    Path classes = bad.writeInPlaceOf("elastic-jvmti-linux-", directory.resolve("classes"));
    assertOffWithOneWarning(
        app().firstOnClassPath(classes).run(PingApp.class), "cannot load", NATIVE_DIR);
    assertRuns(app().run(PingApp.class));
  }

  @ParameterizedTest
  @EnumSource(BadLibrary.class)
  void libraryOfThreadContexts_thatCannotBeLoaded_costsThemAlone(BadLibrary bad)
      throws IOException {
    Path classes = bad.writeInPlaceOf("otel-thread-context-linux-", directory.resolve("classes"));
    ChildJvm.Result result = app().firstOnClassPath(classes).run(PingApp.class);
    assertWentOn(result);
    result.hasOneWarning("thread contexts are off", "cannot load");
    assertThat(result.output()).contains(ON);
  }

  private static void assertRuns(ChildJvm.Result result) {
    assertWentOn(result);
    assertThat(warnings(result)).as(result.output()).isEmpty();
    assertThat(result.output()).contains(ON);
  }

  private static List<Path> filesIn(Path parent) throws IOException {
    try (Stream<Path> files = Files.walk(parent)) {
      return new ArrayList<>(files.filter(Files::isRegularFile).toList());
    }
  }
}
