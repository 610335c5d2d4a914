/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnsupportedPlatformTest {
  private final String os = System.getProperty("os.name");
  private final String cpu = System.getProperty("os.arch");
  private final Locale locale = Locale.getDefault();

  @AfterEach
  void restore() {
    System.setProperty("os.name", os);
    System.setProperty("os.arch", cpu);
    Locale.setDefault(locale);
  }

  @ParameterizedTest
  @CsvSource({"amd64, x64", "x86_64, x64", "aarch64, arm64"})
  void linux_onThisCpu_isSupported(String arch, String inFileName) {
    System.setProperty("os.name", "Linux");
    System.setProperty("os.arch", arch);

    assertThat(NativeLibrary.unsupportedReason()).isNull();
    assertThat(NativeLibraryFile.architecture()).isEqualTo(inFileName);
  }

  @ParameterizedTest
  @ValueSource(strings = {"riscv64", "i386", "arm", "s390x", ""})
  void platform_otherCpu_isNamed(String arch) {
    System.setProperty("os.name", "Linux");
    System.setProperty("os.arch", arch);

    assertThat(NativeLibrary.unsupportedReason()).contains(arch).contains("x86-64", "arm64");
    assertThat(NativeLibraryFile.architecture()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Windows 11", "Mac OS X", "AIX"})
  void platform_otherOperatingSystem_isNamed(String name) {
    System.setProperty("os.name", name);

    assertThat(NativeLibrary.unsupportedReason()).contains(name).contains("Linux");
  }

  @Test
  void platform_anyLanguageOfTheUser_isRecognised() {
    Locale.setDefault(new Locale("tr")); // in Turkish, the lower case of I is not i
    System.setProperty("os.name", "LINUX");
    System.setProperty("os.arch", "amd64");

    assertThat(NativeLibrary.unsupportedReason()).isNull();
  }
}
