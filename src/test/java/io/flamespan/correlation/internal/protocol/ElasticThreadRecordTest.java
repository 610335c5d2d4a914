/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ElasticThreadRecordTest {
  private static final long TRACE_HIGH = 0x0102030405060708L;
  private static final long TRACE_LOW = 0x090a0b0c0d0e0f10L;
  private static final long SPAN = 0x2122232425262728L;
  private static final long LOCAL_ROOT = 0x3132333435363738L;

  // Valid, as native code passes it. The marks in bytes 0 and 1 show that Java does not change
  // them.
  private final ByteBuffer record =
      ByteBuffer.allocateDirect(37).put(0, (byte) 0x5a).put(2, (byte) 1);
  private final ElasticThreadRecord storage = new ElasticThreadRecord(record.duplicate());

  @Test
  void record_length_is37Bytes() {
    assertThat(ElasticThreadRecord.LENGTH).isEqualTo(37);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 36, 38, 4096})
  void record_anotherLength_isRefused(int length) {
    assertThatThrownBy(() -> new ElasticThreadRecord(ByteBuffer.allocateDirect(length)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(length));
  }

  @Test
  void showSpan_everyField_isAtItsOffset() {
    storage.showSpan((byte) 0x01, TRACE_HIGH, TRACE_LOW, SPAN, LOCAL_ROOT);

    assertThat(bytes(2, 3)).as("valid").isEqualTo("01");
    assertThat(bytes(3, 4)).as("trace-present").isEqualTo("01");
    assertThat(bytes(4, 5)).as("trace-flags").isEqualTo("01");
    assertThat(bytes(5, 21)).as("trace-id").isEqualTo("0102030405060708090a0b0c0d0e0f10");
    assertThat(bytes(21, 29)).as("span-id").isEqualTo("2122232425262728");
    assertThat(bytes(29, 37)).as("transaction-id").isEqualTo("3132333435363738");
  }

  @Test
  void showSpan_anyOrderOfTheBuffer_writesIdsAsBytes() {
    for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
      new ElasticThreadRecord(record.duplicate().order(order))
          .showSpan((byte) 0, TRACE_HIGH, TRACE_LOW, SPAN, LOCAL_ROOT);

      assertThat(bytes(5, 37))
          .isEqualTo("0102030405060708090a0b0c0d0e0f1021222324252627283132333435363738");
    }
  }

  @Test
  void showSpan_flags_areTakenAsTheyAre() {
    storage.showSpan((byte) 0xff, TRACE_HIGH, TRACE_LOW, SPAN, LOCAL_ROOT);

    assertThat(bytes(4, 5)).isEqualTo("ff");
  }

  @Test
  void showSpan_anotherShown_replacesIt() {
    storage.showSpan((byte) 1, -1, -1, -1, -1);
    storage.showSpan((byte) 0, TRACE_HIGH, TRACE_LOW, SPAN, LOCAL_ROOT);

    assertThat(bytes(2, 37))
        .isEqualTo(
            "010100"
                + "0102030405060708090a0b0c0d0e0f10"
                + "2122232425262728"
                + "3132333435363738");
  }

  @Test
  void showNoTrace_record_isValidWithoutTrace() {
    storage.showSpan((byte) 1, TRACE_HIGH, TRACE_LOW, SPAN, LOCAL_ROOT);
    storage.showNoTrace();

    assertThat(bytes(2, 4)).isEqualTo("0100");
  }

  @Test
  void showSpan_afterNoTrace_isShown() {
    storage.showNoTrace();
    storage.showSpan((byte) 1, TRACE_HIGH, TRACE_LOW, SPAN, LOCAL_ROOT);

    assertThat(bytes(2, 5)).isEqualTo("010101");
  }

  @Test
  void spanOfLastTrace_anotherShown_replacesIt() {
    storage.showSpan((byte) 1, TRACE_HIGH, TRACE_LOW, -1, LOCAL_ROOT);
    storage.showSpanOfLastTrace(SPAN);

    assertThat(bytes(2, 37))
        .isEqualTo(
            "010101"
                + "0102030405060708090a0b0c0d0e0f10"
                + "2122232425262728"
                + "3132333435363738");
  }

  @Test
  void spanOfLastTrace_afterNoTrace_isShown() {
    storage.showSpan((byte) 1, TRACE_HIGH, TRACE_LOW, -1, LOCAL_ROOT);
    storage.showNoTrace();
    storage.showSpanOfLastTrace(SPAN);

    assertThat(bytes(2, 5)).isEqualTo("010101");
    assertThat(bytes(21, 29)).isEqualTo("2122232425262728");
  }

  @Test
  void layoutVersion_afterShowing_isLeftToNativeCode() {
    storage.showSpan((byte) 1, -1, -1, -1, -1);
    storage.showNoTrace();

    assertThat(bytes(0, 2)).isEqualTo("5a00");
  }

  @Test
  void showing_anything_allocatesNothing() {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    int rounds = 100_000;
    show(rounds);
    long before = threads.getCurrentThreadAllocatedBytes();
    show(rounds);

    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(rounds);
  }

  private void show(int rounds) {
    for (int i = 0; i < rounds; i++) {
      storage.showSpan((byte) 1, i, i, i, i);
      storage.showNoTrace();
    }
  }

  private String bytes(int from, int to) {
    byte[] all = new byte[37];
    record.duplicate().clear().get(all);
    return HexFormat.of().formatHex(Arrays.copyOfRange(all, from, to));
  }
}
