/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.flamespan.correlation.internal.nativelib.SocketLibrary;
import io.flamespan.correlation.testing.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both ways to open a socket behave the same. */
class OpenSocketTest {
  private static final int MANY = 1000;

  @TempDir Path temp;

  @BeforeAll
  static void loadLibrary() {
    SocketLibrary.load(Directories.ofLibraries(null));
    assertThat(SocketLibrary.isLoaded()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void bind_untilClosed_answersAtItsFile(Sockets way) throws IOException {
    Path file = temp.resolve("s");
    try (OpenSocket socket = way.open(file)) {
      assertThat(SocketLibrary.isRefused(file)).isFalse();
      assertThat(JnrSocket.isRefused(file)).isFalse();
    }
    assertThat(file).exists();
    assertThat(SocketLibrary.isRefused(file)).isTrue();
    assertThat(JnrSocket.isRefused(file)).isTrue();
  }

  /** If the mode were set after the bind, others could connect in between. */
  @ParameterizedTest
  @EnumSource
  void bind_file_isForThisUserAloneFromTheStart(Sockets way) throws IOException {
    Path file = temp.resolve("s");
    way.open(file).close();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @ParameterizedTest
  @EnumSource
  void bind_nameThatIsNotAscii_isKept(Sockets way) throws IOException {
    Path file = temp.resolve("\u00e4\u00f6\u00fc");
    way.open(file).close();

    assertThat(file).exists();
    assertThat(SocketLibrary.isRefused(file)).isTrue();
    assertThat(JnrSocket.isRefused(file)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void bind_existingFile_fails(Sockets way) throws IOException {
    Path file = Files.createFile(temp.resolve("s"));

    assertThatThrownBy(() -> way.open(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("bind");
  }

  @Test
  void probe_missingFile_isNotRefused() throws IOException {
    assertThat(SocketLibrary.isRefused(temp.resolve("missing"))).isFalse();
    assertThat(JnrSocket.isRefused(temp.resolve("missing"))).isFalse();
  }

  @Test
  void bind_nameTooLongForTheSystem_fails() throws IOException {
    Path file = temp.resolve("x".repeat(108));

    assertThatThrownBy(() -> new NativeSocket(file)).isInstanceOf(IOException.class);
    assertThat(SocketLibrary.isRefused(file)).isFalse();
  }

  @Test
  void close_again_leavesTheFileThatReusesTheNumber() throws IOException {
    NativeSocket first = new NativeSocket(temp.resolve("first"));
    int number = first.socket;
    first.close();
    // Another thread of this JVM may get the same number and return it.
    for (int i = 0; i < MANY; i++) {
      Path file = temp.resolve("second-" + i);
      try (NativeSocket second = new NativeSocket(file)) {
        if (second.socket == number) {
          first.close();
          assertThat(SocketLibrary.isRefused(file)).isFalse();
          return;
        }
      }
    }
    abort("another thread reused the number of the closed socket");
  }
}
