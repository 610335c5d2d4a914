/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class ReasonTest {
  @Test
  void exception_whoseMessageIsOnlyAFile_isNamedAsWell() {
    assertThat(Reason.of(new AccessDeniedException("/a")))
        .isEqualTo("java.nio.file.AccessDeniedException: /a");
    assertThat(Reason.of(new IOException())).isEqualTo("java.io.IOException");
  }

  @Test
  void exception_thatSaysWhy_isItsMessage() {
    assertThat(Reason.of(new IOException("the disk is full"))).isEqualTo("the disk is full");
    assertThat(Reason.of(new FileSystemException("/a", null, "Too many open files")))
        .isEqualTo("/a: Too many open files");
  }
}
