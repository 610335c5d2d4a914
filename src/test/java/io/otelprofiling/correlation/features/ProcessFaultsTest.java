/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.otelprofiling.correlation.apps.PingApp;
import io.otelprofiling.correlation.apps.SecondSdkOffApp;
import io.otelprofiling.correlation.apps.SwitchingApp;
import io.otelprofiling.correlation.apps.TwoClassLoadersApp;
import io.otelprofiling.correlation.testing.ChildJvm;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.FakeProfiler;
import io.otelprofiling.correlation.testing.NotInEmulation;
import io.otelprofiling.correlation.testing.SocketLibraries;
import io.otelprofiling.correlation.testing.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: if the process cannot run the plug-in, one line reports it, and the application
 * continues.
 */
class ProcessFaultsTest {
  private static final String ENABLED = CorrelatedSdk.PREFIX + "enabled";
  private static final String NATIVE_DIR = CorrelatedSdk.PREFIX + "native.dir";
  private static final String SOCKET_LIBRARY = CorrelatedSdk.PREFIX + "socket.library";
  private static final String[] OF_JNR = {"\njnr.", "\ncom.kenai."};

  private Path directory;

  @BeforeEach
  void createDirectory() throws IOException {
    directory = Files.createTempDirectory(Paths.get("/tmp"), "pc");
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }

  private ChildJvm app() {
    return ChildJvm.exporting("logging")
        .jvmArgument(ChildJvm.BRIEF)
        .property(CorrelatedSdk.PREFIX + "socket.dir", directory.toString());
  }

  private static void assertWentOn(ChildJvm.Result result, int spans) {
    result.succeeded();
    assertThat(result.output().split("current: true", -1)).hasSize(spans + 1);
    assertThat(result.output().split("'ping' :", -1)).hasSize(spans + 1);
  }

  private static void assertOneWarning(ChildJvm.Result result, String... contents) {
    assertThat(result.output().split("WARNING: ", -1)).as(result.output()).hasSize(2);
    assertThat(result.output()).contains(contents).doesNotContain("\tat ");
  }

  private static void assertNoWarning(ChildJvm.Result result) {
    assertThat(result.output()).doesNotContain("WARNING: ");
  }

  @Test
  void process_withoutFault_logsNoWarning() throws IOException {
    ChildJvm.Result result = app().run(PingApp.class);
    assertWentOn(result, 1);
    assertNoWarning(result);
    assertThat(FakeProfiler.sockets(directory)).isEmpty();
  }

  @Test
  void secondSdk_offBeforeTheFirstContext_doesNotAffectTheFirst() {
    ChildJvm.Result result = app().run(SecondSdkOffApp.class).succeeded();
    assertThat(result.output()).contains("shown: true");
    assertNoWarning(result);
  }

  @Test
  void nativeDir_unusable_isOffWithOneWarning() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    ChildJvm.Result result = app().property(NATIVE_DIR, file.toString()).run(PingApp.class);
    assertWentOn(result, 1);
    assertOneWarning(result, "is off", NATIVE_DIR, file.toString());
    assertThat(FakeProfiler.sockets(directory)).isEmpty();
  }

  @NotInEmulation("an emulator only reads the code that it executes")
  @Test
  void temporaryDir_noexec_isOffAndNativeDirRemedies() throws IOException {
    assumeTrue(canMount(), "needs root and unshare to mount a file system");
    String mounted = directory.resolve("noexec").toString();
    Files.createDirectory(Paths.get(mounted));
    String mount = "mount -t tmpfs -o noexec tmpfs " + mounted + " && exec \"$@\"";

    ChildJvm.Result result =
        app()
            .under("unshare", "-m", "sh", "-c", mount, "sh")
            .property("java.io.tmpdir", mounted)
            .property("jffi.extract.dir", directory.toString())
            .run(PingApp.class);
    assertWentOn(result, 1);
    assertOneWarning(result, "is off", "noexec", NATIVE_DIR);

    ChildJvm.Result withJnrThere =
        app()
            .under("unshare", "-m", "sh", "-c", mount, "sh")
            .property("java.io.tmpdir", mounted)
            .run(PingApp.class);
    assertWentOn(withJnrThere, 1);
    assertOneWarning(withJnrThere, "is off", "noexec", NATIVE_DIR);

    Path usable = directory.resolve("usable");
    ChildJvm.Result remedied =
        app()
            .under("unshare", "-m", "sh", "-c", mount, "sh")
            .property("java.io.tmpdir", mounted)
            .property(NATIVE_DIR, usable.toString())
            .run(PingApp.class);
    assertWentOn(remedied, 1);
    assertNoWarning(remedied);
  }

  @Test
  void temporaryDir_readOnly_isOffAndOneWarningNamesAllSettings() throws IOException {
    assumeTrue(canMount(), "needs root and unshare to mount a file system");
    String mounted = directory.resolve("readonly").toString();
    Files.createDirectory(Paths.get(mounted));
    String mount = "mount -t tmpfs -o ro tmpfs " + mounted + " && exec \"$@\"";

    ChildJvm.Result result =
        ChildJvm.exporting("logging")
            .under("unshare", "-m", "sh", "-c", mount, "sh")
            .property("java.io.tmpdir", mounted)
            .run(PingApp.class);
    assertWentOn(result, 1);
    assertOneWarning(
        result,
        "is off",
        mounted,
        "java.io.tmpdir",
        NATIVE_DIR,
        CorrelatedSdk.PREFIX + "socket.dir");

    ChildJvm.Result remedied =
        app()
            .under("unshare", "-m", "sh", "-c", mount, "sh")
            .property("java.io.tmpdir", mounted)
            .property(NATIVE_DIR, directory.resolve("usable").toString())
            .run(PingApp.class);
    assertWentOn(remedied, 1);
    assertNoWarning(remedied);
  }

  private static boolean canMount() throws IOException {
    try {
      return new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jnr-unixsocket",
        "jnr-enxio",
        "jnr-posix",
        "jnr-constants",
        "jnr-ffi",
        "jffi",
        "asm"
      })
  void socketLibrary_unusableWithoutJnr_isOffWithOneWarning(String artifact) throws IOException {
    ChildJvm.Result result =
        app()
            .firstOnClassPath(SocketLibraries.unusable(directory))
            .withoutOnClassPath(artifact)
            .run(PingApp.class);
    assertWentOn(result, 1);
    assertOneWarning(
        result,
        "is off: the plug-in's library for sockets cannot be loaded (java.lang.UnsatisfiedLinkError",
        NATIVE_DIR,
        "add com.github.jnr:jnr-unixsocket");
    assertThat(result.output()).doesNotContain("socket.dir");
    assertThat(FakeProfiler.sockets(directory)).isEmpty();
  }

  @Test
  void socketLibrary_unusable_isReplacedByJnr() throws IOException {
    ChildJvm.Result result =
        app().firstOnClassPath(SocketLibraries.unusable(directory)).run(PingApp.class);
    assertWentOn(result, 1);
    assertNoWarning(result);
    assertThat(result.output()).contains("Profiling correlation is on");
  }

  @Test
  void jnr_wantedButMissing_isReplacedWithOneWarning() {
    ChildJvm.Result result =
        app()
            .property(SOCKET_LIBRARY, "jnr")
            .withoutOnClassPath("jnr-unixsocket")
            .jvmArgument("-Xlog:class+load:stdout:none")
            .run(PingApp.class);
    assertWentOn(result, 1);
    assertOneWarning(
        result,
        SOCKET_LIBRARY + " is jnr, but",
        "add com.github.jnr:jnr-unixsocket",
        "library for sockets is used");
    assertThat(result.output())
        .contains("Profiling correlation is on", "transport.NativeSocket source")
        .doesNotContain(OF_JNR);
  }

  @Test
  void jnr_wantedWhereOthersMayExchangeItsLibrary_isReplacedWithOneWarning() throws IOException {
    Path open = Files.createDirectory(directory.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path below = Files.createDirectory(open.resolve("below"));
    ChildJvm.Result result =
        app()
            .property(SOCKET_LIBRARY, "jnr")
            .property("jffi.extract.dir", below.toString())
            .run(PingApp.class);
    assertWentOn(result, 1);
    assertOneWarning(
        result, SOCKET_LIBRARY, below.toString(), "write to " + open + " ", "jffi.extract.dir");
    assertThat(result.output()).contains("Profiling correlation is on");
    assertThat(below).isEmptyDirectory();
  }

  @Test
  void start_usual_loadsNoJnr() {
    ChildJvm.Result result = app().jvmArgument("-Xlog:class+load:stdout:none").run(PingApp.class);
    assertWentOn(result, 1);
    assertThat(result.output())
        .contains(
            "Profiling correlation is on",
            "io.otelprofiling.correlation.internal.runtime.Correlator source")
        .doesNotContain(OF_JNR)
        .doesNotContain("internal.transport.Jnr", "internal.nativelib.Jnr");
  }

  @Test
  void start_usual_loadsNothingForAnEmbeddedProfiler() {
    ChildJvm.Result result = app().jvmArgument("-Xlog:class+load:stdout:none").run(PingApp.class);
    assertWentOn(result, 1);
    assertThat(result.output())
        .contains("Profiling correlation is on", "internal.context.ThreadMirror source")
        .doesNotContain("internal.embedded.", "EmbeddedSampling", "context.Sampled");
  }

  @Test
  void staticThreadLocalStorage_usedUp_isOffWithOneWarning() {
    ChildJvm.Result result =
        app().environment("GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=0").run(PingApp.class);
    assertWentOn(result, 1);
    assertOneWarning(result, "static thread-local storage", "GLIBC_TUNABLES");
  }

  @Test
  void exporter_withOtherInternals_costsNothing() throws IOException {
    Path source =
        Files.write(
            directory.resolve("ResourceMarshaler.java"),
            List.of(
                "package io.opentelemetry.exporter.internal.otlp;",
                "public final class ResourceMarshaler {}"));
    SourceFile.compile(source, directory);
    ChildJvm.Result result = app().firstOnClassPath(directory).run(PingApp.class);
    assertWentOn(result, 1);
    assertNoWarning(result);
    assertThat(result.output())
        .contains("Profiling correlation is on")
        .doesNotContain("process context is not published", "\tat ");
  }

  @Test
  void anotherClassLoader_thatRuns_isNamedInOneWarning() {
    ChildJvm.Result result = app().run(TwoClassLoadersApp.class, "no-shutdown");
    assertWentOn(result, 2);
    assertOneWarning(result, "is off", "another class loader");
  }

  @Test
  void context_usedBeforeTheSdk_isOffAndRegisteringRemedies() {
    ChildJvm.Result late = app().run(PingApp.class, "context-first");
    assertWentOn(late, 1);
    assertOneWarning(late, "ProfilingCorrelation.registerContextStorage()");

    ChildJvm.Result remedied = app().run(PingApp.class, "register-first", "context-first");
    assertWentOn(remedied, 1);
    assertNoWarning(remedied);
  }

  @Test
  void platform_unsupported_isSilentInAutoAndWarnsInTrue() {
    ChildJvm.Result auto = app().property("os.arch", "s390x").run(PingApp.class);
    assertWentOn(auto, 1);
    assertThat(auto.output()).doesNotContain("Profiling correlation");

    ChildJvm.Result demanded =
        app().property("os.arch", "s390x").property(ENABLED, "true").run(PingApp.class);
    assertWentOn(demanded, 1);
    assertOneWarning(demanded, "is off", "s390x");
  }

  @Test
  void socket_exitWithoutShutdown_isDeleted() throws IOException {
    ChildJvm.Result result = app().run(PingApp.class, "no-shutdown");
    assertThat(result.output()).contains("Profiling correlation is on");
    assertThat(FakeProfiler.sockets(directory)).isEmpty();
  }

  @Test
  void socket_ofKilledProcess_isDeletedByTheNextStart() throws Exception {
    ChildJvm.Result killed =
        app()
            .under(
                "sh",
                "-c",
                "\"$@\" & sleep 0.1; until ls "
                    + directory
                    + "/*.sock >/dev/null 2>&1 || ! kill -0 $!; do sleep 0.1; done; kill -KILL $!; wait",
                "sh")
            .run(SwitchingApp.class);
    assertThat(FakeProfiler.sockets(directory)).as(killed.output()).hasSize(1);

    assertWentOn(app().run(PingApp.class), 1);
    assertThat(FakeProfiler.sockets(directory)).isEmpty();
  }
}
