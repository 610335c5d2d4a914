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
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Promise: a status block is read as its contract says, and anything else is refused. */
class StatusBlockTest {
  private static final String TEXT = "state=active\ncounters=a.b,c\nreason=x=y \u00fc\n";

  private final OwnMemory memory = new OwnMemory();

  private static ByteBuffer block(int version, long sequence, int counters, int length) {
    byte[] text = TEXT.getBytes(StandardCharsets.UTF_8);
    ByteBuffer block = ByteBuffer.allocate(4096).order(ByteOrder.nativeOrder());
    block.putInt(version).putInt(4096).putLong(sequence).putInt(counters);
    block.putInt(length < 0 ? text.length : length).putLong(7).putLong(-1).put(text);
    return block;
  }

  private StatusBlock read(ByteBuffer block) throws IOException {
    memory.write(block.array());
    return new StatusBlock(memory.reader, memory.address(), 20);
  }

  @Test
  void block_complete_hasItsTextAndCounters() throws IOException {
    StatusBlock status = read(block(1, 2, 2, -1));

    assertThat(status.isRunning()).isTrue();
    assertThat(status.number("a.b")).isEqualTo(7);
    assertThat(status.number("c")).isEqualTo(-1);
    assertThat(status.text("reason")).isEqualTo("x=y \u00fc");
    assertThat(status.number("missing")).isNull();
    assertThat(status.format("{a.b} of {c}, {missing}, {missing:ago}"))
        .isEqualTo("7 of -1, unknown, unknown");
  }

  @Test
  void block_ofAnotherVersion_isRefused() {
    assertThatThrownBy(() -> read(block(2, 2, 2, -1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("version is 2");
  }

  @Test
  void block_thatIsBeingReplaced_isRefused() {
    assertThatThrownBy(() -> read(block(1, 3, 2, -1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not complete a change");
  }

  @Test
  void lengths_beyondTheBlock_areRefused() {
    assertThatThrownBy(() -> read(block(1, 2, Integer.MAX_VALUE, 1)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> read(block(1, 2, -1, 1))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> read(block(1, 2, 2, 4096))).isInstanceOf(IOException.class);
  }

  @Test
  void block_withAnyText_isRead() throws IOException {
    Random random = new Random(20_261_126);
    for (int i = 0; i < 1_000; i++) {
      ByteBuffer block = block(1, 2, random.nextInt(400), random.nextInt(800));
      for (int at = 24; at < 4096; at++) {
        block.put(at, (byte) random.nextInt());
      }
      assertThat(read(block).entries).isNotNull();
    }
  }
}
