/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EffectiveUserTest {
  @TempDir Path temp;

  private int read(String status) throws IOException {
    return EffectiveUser.id(Files.writeString(temp.resolve("status"), status));
  }

  @Test
  void effectiveUser_ofThisProcess_ownsNewFiles() throws IOException {
    assertThat(EffectiveUser.id()).isEqualTo(Files.getAttribute(temp, "unix:uid"));
  }

  @Test
  void effectiveUser_ofFourIds_isTheSecond() throws IOException {
    assertThat(read("Name:\tjava\nUid:\t1\t22\t3\t4\nGid:\t5\t6\t7\t8\n")).isEqualTo(22);
  }

  @Test
  void effectiveUser_largestId_isReadAsFilesHaveIt() throws IOException {
    assertThat(read("Name:\tjava\nUid:\t1\t4294967294\t3\t4\n")).isEqualTo(-2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Name:\tjava\n", "Name:\tj\nUid:\t1\n", "Name:\tj\nUid:\t1\tx\t3\n"})
  void effectiveUser_otherFormat_isRefused(String status) {
    assertThatThrownBy(() -> read(status))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("effective user");
  }
}
