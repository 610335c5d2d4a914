/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Promise: what is read at an address is what is there, whoever else reads meanwhile. */
class ProcessMemoryTest {
  private static final int WORDS = 1000;

  @Test
  void words_readByManyThreads_areThoseOfTheirAddresses() {
    OwnMemory own = new OwnMemory();
    byte[] content = new byte[WORDS * Long.BYTES];
    IntStream.range(0, WORDS).forEach(i -> content[i * Long.BYTES] = (byte) i);
    own.write(content);

    assertThat(
            IntStream.range(0, 100 * WORDS)
                .parallel()
                .allMatch(i -> read(own, i % WORDS) == ((i % WORDS) & 0xff)))
        .isTrue();
  }

  private static long read(OwnMemory own, int word) {
    try {
      return own.reader.word(own.address() + (long) word * Long.BYTES);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
