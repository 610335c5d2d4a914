/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.TracedThreadsApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.NativeProgram;
import io.flamespan.correlation.testing.NotInEmulation;
import io.flamespan.correlation.testing.StandIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Promise: ASan and UBSan find no fault in the native code when it runs in a JVM. */
@NotInEmulation("the sanitized library is built for the machine's CPU")
class SanitizedLibraryTest {
  private static final String PACKAGE = "io/flamespan/correlation/internal/nativelib";

  @TempDir Path directory;

  @Test
  void sanitizers_onPlatformThreads_findNothing() throws IOException {
    assertNothingFound("platform", "20");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads need Java 21")
  void sanitizers_onVirtualThreads_findNothing() throws IOException {
    assertNothingFound("virtual", "500");
  }

  private Path build() {
    Path libraries = directory.resolve("sanitized");
    NativeProgram.Output made =
        NativeProgram.run(
            List.of(
                "make",
                "-s",
                "-C",
                "native",
                "sanitized",
                "JAVA_HOME=" + System.getProperty("test.jdk"),
                "SANITIZED=" + libraries.resolve(PACKAGE)),
            "MAKEFLAGS",
            "");
    assertThat(made.status()).as(made.text()).isZero();
    return libraries;
  }

  private void assertNothingFound(String kind, String threads) throws IOException {
    Path sanitized = build();
    StandIn standIn = new StandIn(directory);
    ChildJvm.Result result =
        new ChildJvm()
            .under(standIn.command("--rate 200 --no-stacks --samples-delay 10"))
            .under(
                "env",
                "LD_PRELOAD=" + Files.readString(sanitized.resolve(PACKAGE + "/preload")).trim())
            // The JVM handles these signals itself, and never frees all of its memory.
            .environment(
                "ASAN_OPTIONS",
                "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:detect_leaks=0:verbosity=1")
            .firstOnClassPath(sanitized)
            .jvmArgument(TracedThreadsApp.NATIVE_REFLECTION)
            .property("otel.traces.exporter", "none")
            .property("otel.metrics.exporter", "none")
            .property("otel.logs.exporter", "none")
            .setting("enabled", "true")
            .property(CorrelatedSdk.PREFIX + "socket.dir", directory.toString())
            .property(CorrelatedSdk.PREFIX + "native.dir", directory.resolve("native").toString())
            .run(TracedThreadsApp.class, kind, threads, "20000", directory.resolve("e").toString())
            .succeeded();
    assertThat(result.output())
        .contains("AddressSanitizer Init done", "Flamespan is on")
        .doesNotContain("ERROR: AddressSanitizer", "runtime error:");
    assertThat(standIn.summary("sent")).isPositive();
  }
}
