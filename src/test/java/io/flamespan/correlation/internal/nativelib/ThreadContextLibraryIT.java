/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

class ThreadContextLibraryIT {
  private static final String PROPERTY = "flamespan.native.dir";

  @TempDir static Path temp;
  private static Map<String, String> found;

  @BeforeAll
  static void load() {
    found = ThreadContextProcess.run(new ChildJvm(), temp.resolve("native"), "");
  }

  @Test
  void pointer_ofThePlugIn_isNotMistakenForAnother() {
    assertThat(found)
        .containsEntry("publishedByAnother", "false")
        .containsEntry("defined", "true")
        .containsEntry("publishedByOurselves", "false")
        .containsEntry("foreignToLater", "false");
  }

  @Test
  void pointer_ofAnotherLibrary_isFound() {
    assertThat(ThreadContextProcess.run(new ChildJvm(), temp.resolve("native"), "foreign"))
        .containsEntry("publishedByAnother", "true");
  }

  @Test
  void context_capacity_saysWhetherItHasAttributes() {
    assertThat(found)
        .containsEntry("capacity", "64")
        .containsEntry("capacityWithAttributes", "576");
  }

  @Test
  void context_handedOut_isInvalidAndEmpty() {
    assertThat(found)
        .containsEntry("valid", "0")
        .containsEntry("otherThread", "0 0, own 7 1")
        .containsEntry("laterThread", "0 0");
  }

  @Test
  void context_askedForAgain_isTheSameMemoryAndEmpty() {
    assertThat(found)
        .containsEntry("again", "64 0, own 9")
        .containsEntry("pointsToTheFirstAgain", "true");
  }

  @Test
  void context_forgotten_isInvalid() {
    assertThat(found).containsEntry("forgotten", "0").containsEntry("allForgotten", "0");
  }

  @Test
  void classLoader_afterAnother_usesTheLoadedPointer() {
    assertThat(found).containsEntry("sharedWithLater", "true");
  }

  @Test
  void staticStorage_available_logsNothing() {
    assertThat(found.get("output")).doesNotContain("INFO", "WARNING");
  }

  @Test
  void staticStorage_usedUp_isReportedOnceWithReadersAndRemedy() {
    ChildJvm jvm = new ChildJvm().environment("GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=0");
    Map<String, String> dynamic = ThreadContextProcess.run(jvm, temp.resolve("native"), "");

    assertThat(dynamic.get("output"))
        .containsOnlyOnce("INFO: Readers that need static thread-local storage cannot read")
        .contains("otel-thread-context-linux-", "optional_static_tls=2048", "Datadog's");
    assertThat(dynamic).containsEntry("laterThread", "0 0").containsEntry("again", "64 0, own 9");
  }

  @Test
  void library_unusable_isNamedWithARemedy() throws IOException {
    Path classes = temp.resolve("classes");
    Path nativelib = classes.resolve("io/flamespan/correlation/internal/nativelib");
    Files.createDirectories(nativelib);
    for (String architecture : List.of("x64", "arm64")) {
      Files.writeString(
          nativelib.resolve("otel-thread-context-linux-" + architecture + ".so"), "no library");
    }
    ChildJvm jvm = new ChildJvm().firstOnClassPath(classes);

    assertThat(ThreadContextProcess.run(jvm, temp.resolve("native"), "").get("failure"))
        .startsWith("cannot load the native library: ")
        .contains("otel-thread-context-linux-", "noexec", PROPERTY);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads need Java 21")
  void virtualThread_withARecord_alternatesBetweenItsContexts() {
    Map<String, String> virtual =
        ThreadContextProcess.run(new ChildJvm(), temp.resolve("native"), "virtual");

    String shown =
        ", then 9 1, first true, turned true 010101"
            + ("06" + "00".repeat(23))
            + "0102030405060708"
            + ", remounted true, back true 1 0, again true";
    assertThat(virtual)
        .containsEntry("virtualfalse0", "37 64 0 0" + shown)
        .containsEntry("virtualfalse1", "37 64 0 0" + shown)
        .containsEntry("virtualtrue0", "37 576 0 0" + shown)
        .containsEntry("virtualtrue1", "37 576 0 0" + shown);
  }
}
