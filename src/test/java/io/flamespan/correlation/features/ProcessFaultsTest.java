/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.PingApp;
import io.flamespan.correlation.apps.SecondSdkOffApp;
import io.flamespan.correlation.apps.SwitchingApp;
import io.flamespan.correlation.apps.TwoClassLoadersApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.NativeProgram;
import io.flamespan.correlation.testing.NotInEmulation;
import io.flamespan.correlation.testing.SocketLibraries;
import io.flamespan.correlation.testing.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

  @TempDir Path directory;

  private ChildJvm app() {
    return ChildJvm.exporting("logging")
        .property(CorrelatedSdk.PREFIX + "socket.dir", directory.toString());
  }

  private static void assertWentOn(ChildJvm.Result result, int spans) {
    result.succeeded();
    assertThat(result.output().split("current: true", -1)).hasSize(spans + 1);
    assertThat(result.output().split("'ping' :", -1)).hasSize(spans + 1);
  }

  /** Runs the smallest application, which continues whatever the plug-in meets. */
  private static ChildJvm.Result ping(ChildJvm jvm, String... words) {
    ChildJvm.Result result = jvm.run(PingApp.class, words);
    assertWentOn(result, 1);
    return result;
  }

  @Test
  void process_withoutFault_logsNoWarning() throws IOException {
    ChildJvm.Result result = ping(app());
    result.hasNoWarning();
    assertThat(FakeProfiler.sockets(directory)).isEmpty();
  }

  @Test
  void secondSdk_offBeforeTheFirstContext_doesNotAffectTheFirst() {
    ChildJvm.Result result = app().run(SecondSdkOffApp.class).succeeded();
    assertThat(result.output()).contains("shown: true");
    result.hasNoWarning();
  }

  @Test
  void nativeDir_unusable_isOffWithOneWarning() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    ChildJvm.Result result = ping(app().property(NATIVE_DIR, file.toString()));
    result.hasOneWarning("is off", NATIVE_DIR, file.toString());
    assertThat(FakeProfiler.sockets(directory)).isEmpty();
  }

  /** Runs it where the directory for temporary files is a file system with this option. */
  private ChildJvm.Result pingMounted(String option, ChildJvm jvm) throws IOException {
    NativeProgram.assumeWorks("needs root to mount a file system", "unshare", "-m", "true");
    Path mounted = Files.createDirectories(directory.resolve(option));
    String mount = "mount -t tmpfs -o " + option + " tmpfs " + mounted + " && exec \"$@\"";
    return ping(
        jvm.under("unshare", "-m", "sh", "-c", mount, "sh")
            .property("java.io.tmpdir", mounted.toString()));
  }

  @NotInEmulation("an emulator only reads the code that it executes")
  @Test
  void temporaryDir_noexec_isOffAndNativeDirRemedies() throws IOException {
    pingMounted("noexec", app().property("jffi.extract.dir", directory.toString()))
        .hasOneWarning("is off", "noexec", NATIVE_DIR);
    pingMounted("noexec", app()).hasOneWarning("is off", "noexec", NATIVE_DIR);

    pingMounted("noexec", app().property(NATIVE_DIR, directory.resolve("usable").toString()))
        .hasNoWarning();
  }

  @Test
  void temporaryDir_readOnly_isOffAndOneWarningNamesAllSettings() throws IOException {
    pingMounted("ro", ChildJvm.exporting("logging"))
        .hasOneWarning(
            "is off",
            directory.resolve("ro").toString(),
            "java.io.tmpdir",
            NATIVE_DIR,
            CorrelatedSdk.PREFIX + "socket.dir");

    pingMounted("ro", app().property(NATIVE_DIR, directory.resolve("usable").toString()))
        .hasNoWarning();
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
        ping(
            app()
                .firstOnClassPath(SocketLibraries.unusable(directory))
                .withoutOnClassPath(artifact));
    result.hasOneWarning(
        "is off: the plug-in's library for sockets cannot be loaded (java.lang.UnsatisfiedLinkError",
        NATIVE_DIR,
        "add com.github.jnr:jnr-unixsocket");
    assertThat(result.output()).doesNotContain("socket.dir");
    assertThat(FakeProfiler.sockets(directory)).isEmpty();
  }

  @Test
  void jnr_wantedButMissing_isReplacedWithOneWarning() {
    ChildJvm.Result result =
        ping(
            app()
                .property(SOCKET_LIBRARY, "jnr")
                .withoutOnClassPath("jnr-unixsocket")
                .jvmArgument("-Xlog:class+load:stdout:none"));
    result.hasOneWarning(
        SOCKET_LIBRARY + " is jnr, but",
        "add com.github.jnr:jnr-unixsocket",
        "library for sockets is used");
    assertThat(result.output())
        .contains("Flamespan is on", "transport.NativeSocket source")
        .doesNotContain(OF_JNR);
  }

  @Test
  void jnr_wantedWhereOthersMayExchangeItsLibrary_isReplacedWithOneWarning() throws IOException {
    Path open = Files.createDirectory(directory.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path below = Files.createDirectory(open.resolve("below"));
    ChildJvm.Result result =
        ping(app().property(SOCKET_LIBRARY, "jnr").property("jffi.extract.dir", below.toString()));
    result.hasOneWarning(
        SOCKET_LIBRARY, below.toString(), "write to " + open + " ", "jffi.extract.dir");
    assertThat(result.output()).contains("Flamespan is on");
    assertThat(below).isEmptyDirectory();
  }

  @Test
  void start_usual_loadsNothingOptional() {
    ChildJvm.Result result = ping(app().jvmArgument("-Xlog:class+load:stdout:none"));
    assertThat(result.output())
        .contains("Flamespan is on", "io.flamespan.correlation.internal.runtime.Correlator source")
        .doesNotContain(OF_JNR)
        .doesNotContain("internal.transport.Jnr", "internal.nativelib.Jnr")
        .doesNotContain("internal.embedded.", "EmbeddedSampling", "context.Sampled");
  }

  @Test
  void staticThreadLocalStorage_usedUp_isOffWithOneWarning() {
    ChildJvm.Result result =
        ping(app().environment("GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=0"));
    result.hasOneWarning("static thread-local storage", "GLIBC_TUNABLES");
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
    ChildJvm.Result result = ping(app().firstOnClassPath(directory));
    result.hasNoWarning();
    assertThat(result.output())
        .contains("Flamespan is on")
        .doesNotContain("process context is not published", "\tat ");
  }

  @Test
  void anotherClassLoader_thatRuns_isNamedInOneWarning() {
    ChildJvm.Result result = app().run(TwoClassLoadersApp.class, "no-shutdown");
    assertWentOn(result, 2);
    result.hasOneWarning("is off", "another class loader");
  }

  @Test
  void context_usedBeforeTheSdk_isOffAndRegisteringRemedies() {
    ChildJvm.Result late = ping(app(), "context-first");
    late.hasOneWarning("ProfilingCorrelation.registerContextStorage()");

    ChildJvm.Result remedied = ping(app(), "register-first", "context-first");
    remedied.hasNoWarning();
  }

  @Test
  void platform_unsupported_isSilentInAutoAndWarnsInTrue() {
    ChildJvm.Result auto = ping(app().property("os.arch", "s390x"));
    assertThat(auto.output()).doesNotContain("Flamespan");

    ChildJvm.Result demanded = ping(app().property("os.arch", "s390x").property(ENABLED, "true"));
    demanded.hasOneWarning("is off", "s390x");
  }

  @Test
  void socket_exitWithoutShutdown_isDeleted() throws IOException {
    ChildJvm.Result result = app().run(PingApp.class, "no-shutdown");
    assertThat(result.output()).contains("Flamespan is on");
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
