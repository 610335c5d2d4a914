/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CLibraryTest {
  private static final Path LIBRARY = Path.of("/tmp/elastic-jvmti-linux-x64.so");
  private static final String MAPPING = "7f27511e8000-7f275124b000 r-xp 00015000 fe:00 779736   ";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/lib/ld-musl-x86_64.so.1",
        "/lib/ld-musl-aarch64.so.1",
        "/lib/libc.musl-x86_64.so.1",
        "/usr/lib/x86_64-linux-musl/libc.so"
      })
  void musl_mapped_isRecognised(String file) {
    assertThat(CLibrary.isMusl(maps(file))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/usr/lib/x86_64-linux-gnu/libc.so.6",
        "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
        "/srv/ld-musl-shop/app.jar",
        "/srv/\u00e9t\u00e9-musl.jar",
        "[anon:musl]"
      })
  void otherLibraries_mapped_areNotMistakenForMusl(String file) {
    assertThat(CLibrary.isMusl(maps(file))).isFalse();
  }

  @Test
  void remedy_eitherLibrary_isOneForIt() {
    assertThat(CLibrary.noStaticStorage(LIBRARY, true))
        .contains("musl", LIBRARY.toString())
        .doesNotContain("GLIBC_TUNABLES");
    assertThat(CLibrary.noStaticStorage(LIBRARY, false))
        .contains("GLIBC_TUNABLES", LIBRARY.toString())
        .doesNotContain("musl");
  }

  private static String maps(String file) {
    String heap = "55fb2dafd000-55fb2dafe000 rw-p 00000000 00:00 0   [heap]\n";
    return heap + MAPPING + file + "\n" + heap;
  }
}
