/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.protocol;

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
  private static final String IDS =
      "0102030405060708090a0b0c0d0e0f10" + "2122232425262728" + "3132333435363738";

  // Valid, as native code passes it. The marks in bytes 0 and 1 show that Java does not change
  // them.
  private final ByteBuffer record =
      ByteBuffer.allocateDirect(37).put(0, (byte) 0x5a).put(2, (byte) 1);
  private final ElasticThreadRecord storage = new ElasticThreadRecord(record.duplicate());

  @ParameterizedTest
  @ValueSource(ints = {0, 36, 38, 4096})
  void record_anotherLength_isRefused(int length) {
    assertThatThrownBy(() -> new ElasticThreadRecord(ByteBuffer.allocateDirect(length)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(length));
  }

  @Test
  void showSpan_inPlaceOfAnother_writesEveryFieldButTheVersion() {
    for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
      ElasticThreadRecord ordered = new ElasticThreadRecord(record.duplicate().order(order));
      ordered.showSpan((byte) 0, -1, -1, -1, -1);
      ordered.showSpan((byte) 0xff, TRACE_HIGH, TRACE_LOW, SPAN, LOCAL_ROOT);

      assertThat(bytes(0, 37)).isEqualTo("5a00" + "01" + "01" + "ff" + IDS);
    }
  }

  @Test
  void showNoTrace_record_isValidWithoutTraceUntilTheNextSpan() {
    storage.showSpan((byte) 1, -1, -1, -1, -1);
    storage.showNoTrace();
    assertThat(bytes(0, 4)).isEqualTo("5a00" + "01" + "00");

    storage.showSpan((byte) 1, TRACE_HIGH, TRACE_LOW, SPAN, LOCAL_ROOT);
    assertThat(bytes(2, 37)).isEqualTo("010101" + IDS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void spanOfLastTrace_ofASpanOrNone_replacesIt(boolean none) {
    storage.showSpan((byte) 1, TRACE_HIGH, TRACE_LOW, -1, LOCAL_ROOT);
    if (none) {
      storage.showNoTrace();
    }
    storage.showSpanOfLastTrace(SPAN);

    assertThat(bytes(2, 37)).isEqualTo("010101" + IDS);
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
