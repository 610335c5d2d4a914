/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: reading any published data ends, with a result or an IOException. */
@Timeout(120) // fails on an endless loop
class ProcessDataFuzzTest {
  private static final int MUTATIONS = 5_000;

  private final OwnMemory own = new OwnMemory();
  private final ProcessMemory memory = own.reader;

  private static byte[] storage() {
    ByteBuffer bytes = ByteBuffer.allocate(200).order(ByteOrder.nativeOrder());
    bytes.putShort((short) 1);
    for (String text : List.of("shöp", "test", "/tmp/a.sock")) {
      byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
      bytes.putInt(encoded.length).put(encoded);
    }
    return bytes.array();
  }

  private FoundProcessStorage readStorage() throws IOException {
    return new FoundProcessStorage(memory, own.address());
  }

  private static byte[] mutate(byte[] valid, Random random) {
    byte[] mutated = valid.clone();
    for (int changes = 1 + random.nextInt(6); changes > 0; changes--) {
      int at = random.nextInt(valid.length);
      mutated[at] =
          switch (random.nextInt(3)) {
            case 0 -> (byte) random.nextInt();
            case 1 -> (byte) -1;
            default -> (byte) (mutated[at] ^ 1 << random.nextInt(8));
          };
    }
    return mutated;
  }

  @Test
  void data_valid_isRead() throws IOException {
    own.write(storage());
    assertThat(readStorage().serviceName).isEqualTo("shöp");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 20_261_123})
  void storage_mutated_endsWithResultOrIoException(long seed) {
    Random random = new Random(seed);
    byte[] valid = storage();
    for (int i = 0; i < MUTATIONS; i++) {
      own.write(mutate(valid, random));
      check("seed " + seed + ", mutation " + i, this::readStorage);
    }
  }

  @Test
  void pointers_toNowhere_areIoExceptions() {
    for (long address : new long[] {0, -1, 1, 0x10, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> new FoundProcessStorage(memory, address))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("0x");
    }
  }

  private interface Reading {
    Object read() throws IOException;
  }

  private static void check(String name, Reading reading) {
    try {
      assertThat(reading.read()).isNotNull();
    } catch (IOException e) {
      assertThat(e.getMessage()).as(name).isNotEmpty();
    } catch (Throwable e) {
      throw new AssertionError(name, e);
    }
  }
}
