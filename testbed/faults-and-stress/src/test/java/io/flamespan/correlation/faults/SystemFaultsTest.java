/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.PingApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.NativeProgram;
import io.flamespan.correlation.testing.NotInEmulation;
import io.flamespan.correlation.testing.SocketLibraries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
  private static final String ON = "Flamespan is on";

  @TempDir Path directory;

  private ChildJvm app() {
    return ChildJvm.exporting("logging")
        .jvmArgument("-XX:-UsePerfData") // the JVM would write another file
        .property(CorrelatedSdk.PREFIX + "socket.dir", directory.toString())
        .property(NATIVE_DIR, directory.resolve("native").toString());
  }

  private static void assertWentOn(ChildJvm.Result result) {
    result.succeeded();
    assertThat(result.output().split("current: true", -1)).as(result.output()).hasSize(2);
    assertThat(result.output().split("'ping' :", -1)).as(result.output()).hasSize(2);
  }

  private static ChildJvm.Result ping(ChildJvm jvm, String... words) {
    ChildJvm.Result result = jvm.run(PingApp.class, words);
    assertWentOn(result);
    return result;
  }

  private void assertOffWithOneWarning(ChildJvm.Result result, String... contents)
      throws IOException {
    assertWentOn(result);
    result.hasOneWarning(contents);
    assertThat(result.output()).contains("Flamespan is off").doesNotContain(ON);
    assertThat(FakeProfiler.sockets(directory)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1, bind, cannot bind, EPERM, seccomp",
    "1, eventfd2, eventfd, EPERM, seccomp",
    "38, eventfd2, eventfd, ENOSYS, seccomp",
    "11, clone clone3, the system cannot create a thread, ulimit -u, thread"
  })
  @NotInEmulation("an emulator does not filter the system calls of an emulated process")
  void call_forbidden_isOffWithOneWarningThatNamesTheCause(
      String errno, String calls, String what, String why, String where) throws IOException {
    assertOffWithOneWarning(
        app().run(ForbiddenCallsApp.class, (errno + " " + calls).split(" ")), what, why, where);
  }

  private void assertRunsOtherwise() {
    ChildJvm.Result result = ping(app());
    result.hasNoWarning();
    assertThat(result.output()).contains(ON);
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
    assertThat(result.warnings().get(0)).doesNotContain("another directory");
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
  @CsvSource({"sched_setattr, 1", "sched_setattr, 38", "prctl, 1", "prctl, 38"})
  @NotInEmulation("an emulator does not filter the system calls of an emulated process")
  void optionalCall_forbidden_isSkipped(String call, int errno) {
    ChildJvm.Result result = app().run(ForbiddenCallsApp.class, "" + errno, call);
    assertWentOn(result);
    result.hasNoWarning();
    assertThat(result.output()).contains(ON);
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
      assertThat(result.warnings())
          .as(result.output())
          .hasSizeLessThanOrEqualTo(2)
          .doesNotHaveDuplicates()
          .allMatch(warning -> warning.contains("Too many open files"));
    } else {
      assertOffWithOneWarning(result, "Flamespan is off");
    }
    assertThat(left > 0 || !result.output().contains(ON)).as(result.output()).isTrue();
  }

  @Test
  void file_longerThanAllowed_isOffAndLeavesNothing() throws IOException {
    ChildJvm.Result result =
        app().under("sh", "-c", "ulimit -f 4; exec \"$@\"", "sh").run(PingApp.class);
    assertOffWithOneWarning(result, NATIVE_DIR, "File too large");
    assertThat(filesIn(directory.resolve("native"))).isEmpty();
    assertRunsOtherwise();
  }

  @Test
  void disk_full_isOffAndLeavesNothing() throws Exception {
    NativeProgram.assumeWorks("needs root to mount a full disk", "unshare", "-m", "true");
    Path disk = Files.createDirectory(directory.resolve("native"));
    String mount = "mount -t tmpfs -o size=12k tmpfs " + disk + " && \"$@\"; status=$?;";
    ChildJvm.Result result =
        app()
            .under("unshare", "-m", "sh", "-c", mount + " find " + disk + " -type f; exit $status")
            .under("sh")
            .run(PingApp.class);
    assertOffWithOneWarning(result, NATIVE_DIR, "No space left");
    assertThat(result.output()).doesNotContain("\n" + disk);
    assertRunsOtherwise();
  }

  @ParameterizedTest
  @EnumSource(BadLibrary.class)
  void library_thatCannotBeLoaded_isOffWithOneWarning(BadLibrary bad) throws IOException {
    Path classes = bad.writeInPlaceOf("elastic-jvmti-linux-", directory.resolve("classes"));
    assertOffWithOneWarning(
        app().firstOnClassPath(classes).run(PingApp.class), "cannot load", NATIVE_DIR);
    assertRunsOtherwise();
  }

  @ParameterizedTest
  @EnumSource(BadLibrary.class)
  void libraryOfThreadContexts_thatCannotBeLoaded_costsThemAlone(BadLibrary bad)
      throws IOException {
    Path classes = bad.writeInPlaceOf("otel-thread-context-linux-", directory.resolve("classes"));
    ChildJvm.Result result = ping(app().firstOnClassPath(classes));
    result.hasOneWarning("thread contexts are off", "cannot load");
    assertThat(result.output()).contains(ON);
  }

  private static List<Path> filesIn(Path parent) throws IOException {
    try (Stream<Path> files = Files.walk(parent)) {
      return new ArrayList<>(files.filter(Files::isRegularFile).toList());
    }
  }
}
