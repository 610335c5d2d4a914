/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FramesTest {
  /**
   * Each file of Python has its own {@code <module>}; a second is enough, quadratic time is not.
   */
  @Test
  @Timeout(60)
  void functions_ofOneNameInManyFiles_areFoundAsFastAsOthers() {
    int files = 200_000;
    Frames frames = new Frames();

    for (int turn = 0; turn < 2; turn++) {
      for (int file = 0; file < files; file++) {
        assertThat(frames.number("<module>", "module" + file + ".py", "cpython")).isEqualTo(file);
      }
    }
    assertThat(frames.size()).isEqualTo(files);
  }
}
