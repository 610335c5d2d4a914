/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.testing.Directories;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes, one after the other, load from the same directory. */
class NativeLibraryTest {
  private static final String PROPERTY = "flamespan.native.dir";

  @TempDir static Path temp;
  private static Path nativeDir;
  private static Map<String, String> first;
  private static Map<String, String> second;
  private static Object firstInode;
  private static final FileTime PAST = FileTime.fromMillis(1_000_000);

  @BeforeAll
  static void loadTwice() throws Exception {
    nativeDir = temp.toRealPath().resolve("native");
    first = LoadingProcess.run(nativeDir, temp.resolve("first"));
    Path file = Path.of(first.get("loaded"));
    firstInode = Files.getAttribute(file, "unix:ino");
    Files.setLastModifiedTime(file, PAST);
    second = LoadingProcess.run(nativeDir, temp.resolve("second"));
  }

  @Test
  void library_configuredDirectory_isLoadedFromThere() {
    assertThat(first.get("loaded"))
        .startsWith(nativeDir + "/")
        .matches(".*/elastic-jvmti-linux-([\\w-]*)\\.so");
    assertThat(first.get("maps")).isNotEmpty();
  }

  @Test
  void library_inALaterProcess_isTheSameFile() throws Exception {
    Path file = Path.of(second.get("loaded"));

    assertThat(second.get("loaded")).isEqualTo(first.get("loaded"));
    assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(firstInode);
    assertThat(Files.getLastModifiedTime(file)).isEqualTo(PAST);
    try (Stream<Path> all = Files.walk(nativeDir)) {
      assertThat(all.filter(Files::isRegularFile)).containsExactly(file);
    }
  }

  @Test
  void directory_onceLoaded_hasNoEffect() {
    assertThat(first.get("again")).isEqualTo(first.get("loaded"));
  }

  @Test
  void record_new_isValidAndShowsNoTrace() {
    String version = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "0100" : "0001";

    assertThat(first.get("record")).isEqualTo(version + "01" + "00".repeat(34));
  }

  @Test
  void record_ofEachThread_isSeparate() {
    assertThat(first.get("twoThreads")).isEqualTo("true");
  }

  @Test
  void record_addressComputedByProfilers_isRight() {
    assertThat(first.get("static")).isEqualTo("true");
  }

  @Test
  void processStorage_afterPublishing_isNotKept() {
    assertThat(first.get("left")).isEqualTo("false");
  }

  @Test
  void directory_unusable_isNamedWithTheProperty() {
    assertThat(first.get("unusable"))
        .startsWith("IOException: cannot extract")
        .contains("no-directory")
        .contains(PROPERTY);
  }

  @Test
  void classLoader_whileAnotherPublishes_isRefused() {
    assertThat(first.get("otherLoader")).startsWith("IOException: another class loader");
    assertThat(first.get("firstAgain")).startsWith("IOException: another class loader");
  }

  @Test
  void classLoader_afterAnotherWithdrew_usesTheMappedLibrary() {
    assertThat(first.get("laterLoader")).isEqualTo(first.get("loaded"));
  }

  @Test
  void mappedLibrary_whoseFileIsGone_isUsedByALaterClassLoader() {
    assertThat(first.get("deleted")).isEqualTo(first.get("loaded"));
  }

  @Test
  void libraryOfAnotherVersion_whileOneIsMapped_isRefused() {
    assertThat(first.get("otherVersion"))
        .startsWith("IOException: ")
        .contains(first.get("loaded"), "another agent, or of another version");
    assertThat(first.get("mappings")).isEqualTo("1");
  }

  @Test
  void processStorage_beyondAllLimits_isRefused() {
    assertThat(first.get("tooLong")).startsWith("IllegalArgumentException");
  }

  @Test
  void jar_withoutTheLibrary_doesNotBlameTheDirectory() throws Exception {
    ClassLoader jarWithoutLibraries =
        new OwnCopyLoader() {
          @Override
          public InputStream getResourceAsStream(String name) {
            return name.endsWith(".so") ? null : super.getResourceAsStream(name);
          }
        };
    Object directory = Directories.ofLibrariesIn(jarWithoutLibraries, temp.toString());
    Method publish =
        jarWithoutLibraries
            .loadClass(NativeLibrary.class.getName())
            .getMethod("publish", byte[].class, directory.getClass());

    assertThatThrownBy(() -> publish.invoke(null, new byte[0], directory))
        .cause()
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was built without elastic-jvmti-linux-")
        .message()
        .doesNotContain(PROPERTY);
  }
}
