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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class OtelThreadRecordTest {
  private static final long TRACE_HIGH = 0x0102030405060708L;
  private static final long TRACE_LOW = 0x090a0b0c0d0e0f10L;
  private static final long SPAN = 0x2122232425262728L;

  private static final int STORAGE = 3; // offset of Elastic's record in the memory

  private final ByteBuffer one = memory(284);
  private final OtelThreadRecord context = inPlace(one, 284);
  private final ByteBuffer record = contexts(one);

  private final ByteBuffer both = memory(288);
  private final ByteBuffer pointer = pointerTo(0x1000);
  private final OtelThreadRecord two =
      new OtelThreadRecord(recordMemory(both, 288), STORAGE, pointer);
  private final ByteBuffer storage = storage(both);
  private final ByteBuffer records = contexts(both);

  @Test
  void record_tooShort_isRefused() {
    assertThatThrownBy(() -> recordMemory(memory(27), 27))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("27");
  }

  @Test
  void record_idsNotAligned_isRefused() {
    assertThatThrownBy(() -> new OtelThreadRecord(recordMemory(both, 288), 4, pointer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4");
  }

  @Test
  void neighbours_inTheSameMemory_areLeftAlone() {
    ByteBuffer memory = ByteBuffer.allocateDirect(3 * 128);
    for (int i = 0; i < memory.capacity(); i++) {
      memory.put(i, (byte) 0x5a);
    }
    OtelThreadRecord middle = new OtelThreadRecord(recordMemory(memory, 32), 128 + 11, pointer);
    middle.showSpan((byte) 1, TRACE_HIGH, TRACE_LOW, SPAN, 9);
    middle.showSpan((byte) 1, 5, 6, 7, 8);
    middle.showUnrecordedSpan((byte) 0, 5, 6, 7);
    middle.showNoTraceAfterFailure();

    for (int i = 0; i < memory.capacity(); i++) {
      if (i < 128 + 12 || i >= 128 + 11 + 37 + 2 * 32) {
        assertThat(memory.get(i)).as("byte %d", i).isEqualTo((byte) 0x5a);
      }
    }
  }

  @Test
  void record_usedBefore_showsNothing() {
    ByteBuffer memory = memory(28);
    for (int i = 0; i < memory.capacity(); i++) {
      memory.put(i, (byte) 1);
    }
    OtelThreadRecord unused = inPlace(memory, 28);
    ByteBuffer used = contexts(memory);

    assertThat(used.get(24)).isZero();
    assertThat(used.order(ByteOrder.nativeOrder()).getShort(26)).isZero();
    assertThat(unused.attributesCapacity()).isZero();
    OtelThreadRecord small = new OtelThreadRecord(recordMemory(memory(32), 32), STORAGE, pointer);
    assertThat(small.attributesCapacity()).isZero();
  }

  @Test
  void showSpan_everyField_isAtItsOffset() {
    context.showUnrecordedSpan((byte) 0x03, TRACE_HIGH, TRACE_LOW, SPAN);

    assertThat(bytes(0, 16)).as("trace-id").isEqualTo("0102030405060708090a0b0c0d0e0f10");
    assertThat(bytes(16, 24)).as("span-id").isEqualTo("2122232425262728");
    assertThat(bytes(24, 25)).as("valid").isEqualTo("01");
    assertThat(bytes(25, 26)).as("trace-flags").isEqualTo("03");
    assertThat(bytes(26, 28)).as("size of attributes").isEqualTo("0000");
  }

  @Test
  void attributes_bytesAndSize_areAtTheirOffsets() {
    context.beginSpan();
    context.putAttributeByte(0, (byte) 0x11);
    context.putAttributeByte(255, (byte) 0x22);
    context.setAttributesSize(256);
    context.showUnrecordedSpan((byte) 0, TRACE_HIGH, TRACE_LOW, SPAN);

    assertThat(context.attributesCapacity()).isEqualTo(256);
    assertThat(record.duplicate().order(ByteOrder.nativeOrder()).getShort(26))
        .isEqualTo((short) 256);
    assertThat(bytes(28, 29)).isEqualTo("11");
    assertThat(bytes(283, 284)).isEqualTo("22");
  }

  @Test
  void spanOfLastTrace_anotherShown_replacesIt() {
    context.showUnrecordedSpan((byte) 1, TRACE_HIGH, TRACE_LOW, -1);
    context.showSpanOfLastTrace(SPAN);

    assertThat(bytes(0, 26))
        .isEqualTo("0102030405060708090a0b0c0d0e0f10" + "2122232425262728" + "0101");
  }

  @Test
  void spanOfLastTrace_afterNone_isShown() {
    context.showUnrecordedSpan((byte) 1, TRACE_HIGH, TRACE_LOW, -1);
    context.showNoTrace();
    assertThat(bytes(24, 25)).isEqualTo("00");
    context.showSpanOfLastTrace(SPAN);

    assertThat(bytes(16, 25)).isEqualTo("2122232425262728" + "01");
  }

  @Test
  void noTrace_inPlaceOfAnotherSpan_changesNothing() {
    context.showUnrecordedSpan((byte) 1, TRACE_HIGH, TRACE_LOW, SPAN);
    context.showNoTraceInPlaceOf(SPAN + 1);
    assertThat(bytes(24, 25)).isEqualTo("01");

    context.showNoTraceInPlaceOf(SPAN);
    assertThat(bytes(24, 25)).isEqualTo("00");
  }

  @Test
  void anotherTrace_withTwoRecords_switchesThePointerWhenShown() {
    two.beginSpan();
    two.showUnrecordedSpan((byte) 1, 1, 2, 3);
    assertThat(pointer.getLong(0)).isEqualTo(0x1000);

    two.beginSpan();
    assertThat(pointer.getLong(0)).isEqualTo(0x1000);
    two.showUnrecordedSpan((byte) 1, 4, 5, 6);
    assertThat(pointer.getLong(0)).isEqualTo(0x1000 + 288);
  }

  @Test
  void shownRecord_whileAnotherIsWritten_staysAsItIs() {
    two.beginSpan();
    two.showUnrecordedSpan((byte) 1, TRACE_HIGH, TRACE_LOW, SPAN);
    String shown = bytes(records, 0, 284);
    assertThat(shown).startsWith("0102030405060708090a0b0c0d0e0f102122232425262728" + "0101");

    two.beginSpan();
    two.putAttributeByte(0, (byte) 0x11);
    two.setAttributesSize(1);
    assertThat(bytes(records, 0, 284)).isEqualTo(shown);
    assertThat(bytes(records, 288 + 24, 288 + 29)).isEqualTo("00" + "00" + "0000" + "11");
    assertThat(two.attributesCapacity()).isEqualTo(256);
  }

  @Test
  void changesWithinATrace_withTwoRecords_goToTheShownOne() {
    two.beginSpan();
    two.showUnrecordedSpan((byte) 1, TRACE_HIGH, TRACE_LOW, -1);
    two.showSpanOfLastTrace(SPAN);
    assertThat(bytes(records, 16, 25)).isEqualTo("2122232425262728" + "01");

    two.showNoTrace();
    assertThat(bytes(records, 24, 25)).isEqualTo("00");
    assertThat(pointer.getLong(0)).isEqualTo(0x1000);
  }

  @Test
  void failure_whileARecordIsWritten_hidesTheShownOneToo() {
    two.beginSpan();
    two.showUnrecordedSpan((byte) 1, 1, 2, 3);
    two.beginSpan();
    two.showNoTraceAfterFailure();
    assertThat(records.get(24)).isZero();
    assertThat(records.get(288 + 24)).isZero();

    two.beginSpan();
    two.showUnrecordedSpan((byte) 1, TRACE_HIGH, TRACE_LOW, SPAN);
    assertThat(pointer.getLong(0)).isEqualTo(0x1000);
    assertThat(bytes(records, 16, 25))
        .as("target of the pointer")
        .isEqualTo("2122232425262728" + "01");
  }

  @Test
  void span_inBothRecordsAfterAnUnsampledOne_isShownInBoth() {
    two.beginSpan();
    two.showUnrecordedSpan((byte) 0, 7, 7, 7);
    two.beginSpan();
    two.showBegunSpan((byte) 1, TRACE_HIGH, TRACE_LOW, SPAN, 9);

    assertThat(pointer.getLong(0)).isEqualTo(0x1000 + 288);
    assertThat(bytes(records, 288, 288 + 26))
        .isEqualTo("0102030405060708090a0b0c0d0e0f10" + "2122232425262728" + "0101");
    assertThat(bytes(storage, 2, 37))
        .isEqualTo(
            "010101"
                + "0102030405060708090a0b0c0d0e0f10"
                + "2122232425262728"
                + "0000000000000009");
  }

  @Test
  void unsampledSpan_afterASampledOne_isShownInThisRecordOnly() {
    two.beginSpan();
    two.showBegunSpan((byte) 1, 1, 2, 3, 4);
    assertThat(bytes(storage, 2, 4)).isEqualTo("0101");
    two.beginSpan();
    two.showUnrecordedSpan((byte) 0, TRACE_HIGH, TRACE_LOW, SPAN);

    assertThat(bytes(storage, 2, 4)).isEqualTo("0100");
    assertThat(pointer.getLong(0)).isEqualTo(0x1000 + 288);
    assertThat(bytes(records, 288, 288 + 26))
        .isEqualTo("0102030405060708090a0b0c0d0e0f10" + "2122232425262728" + "0100");
  }

  @Test
  void trace_inPlaceOfAnotherWithTwoRecords_isShownInBoth() {
    two.beginSpan();
    two.showBegunSpan((byte) 1, 1, 2, 3, 4);
    two.beginSpan();
    two.showBegunSpan((byte) 1, TRACE_HIGH, TRACE_LOW, SPAN, 9);

    assertThat(pointer.getLong(0)).isEqualTo(0x1000 + 288);
    assertThat(bytes(records, 288, 288 + 26)).isEqualTo(bytes(storage, 5, 29) + "0101");
    assertThat(bytes(storage, 2, 5)).isEqualTo("010101");

    two.showNoTraceInPlaceOf(SPAN);
    assertThat(records.get(288 + 24)).isZero();
  }

  @Test
  void carrier_ofAVirtualThread_isSwitchedOnlyBetweenSpans() {
    List<String> turns = new ArrayList<>();
    ByteBuffer memory = memory(32);
    ByteBuffer storage = storage(memory);
    ByteBuffer contexts = contexts(memory);
    OtelThreadRecord virtual =
        new OtelThreadRecord(
            recordMemory(memory, 32),
            STORAGE,
            (address, second, root) ->
                turns.add(address + " " + second + " " + root + " " + bytes(contexts, 24, 25)));

    virtual.showSpan((byte) 1, 1, 2, 3, 4);
    assertThat(turns).isEmpty();
    assertThat(bytes(storage, 2, 4) + bytes(contexts, 24, 25)).isEqualTo("010101");

    virtual.showSpan((byte) 1, TRACE_HIGH, TRACE_LOW, SPAN, 9);
    virtual.beginSpan();
    virtual.showUnrecordedSpan((byte) 0, 5, 6, 7);
    assertThat(turns)
        .as("the shown record stays valid")
        .containsExactly("8195 true 9 01", "8195 false 0 01");
    assertThat(bytes(contexts, 32, 32 + 26))
        .isEqualTo("0102030405060708090a0b0c0d0e0f10" + "2122232425262728" + "0101");
  }

  @Test
  void failure_whileACarrierIsSwitched_keepsTheShownRecordInUse() {
    AtomicBoolean fails = new AtomicBoolean();
    ByteBuffer memory = memory(32);
    ByteBuffer storage = storage(memory);
    ByteBuffer contexts = contexts(memory);
    OtelThreadRecord virtual =
        new OtelThreadRecord(
            recordMemory(memory, 32),
            STORAGE,
            (address, second, root) -> {
              if (fails.get()) {
                throw new StackOverflowError();
              }
            });
    virtual.showSpan((byte) 1, 1, 2, 3, 4);
    virtual.showSpan((byte) 1, 5, 6, 7, 8);
    fails.set(true);
    for (boolean handled : new boolean[] {true, false}) {
      assertThatThrownBy(() -> virtual.showSpan((byte) 1, 9, 10, 11, 12))
          .isInstanceOf(StackOverflowError.class);
      if (handled) {
        virtual.showNoTraceAfterFailure();
        assertThat(bytes(contexts, 24, 25) + bytes(contexts, 32 + 24, 32 + 25)).isEqualTo("0000");
      } else {
        storage.put(2, (byte) 0); // as another failure may leave it
        virtual.showNoTrace();
        assertThat(bytes(contexts, 32 + 24, 32 + 25)).as("the shown one").isEqualTo("00");
      }

      virtual.showSpan((byte) 1, TRACE_HIGH, TRACE_LOW, SPAN, 12);
      assertThat(bytes(contexts, 32 + 16, 32 + 25)).isEqualTo("2122232425262728" + "01");
      assertThat(bytes(storage, 2, 4)).isEqualTo("0101");
    }
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
      context.beginSpan();
      context.showUnrecordedSpan((byte) 1, i, i, i);
      context.beginSpan();
      context.setAttributesSize(0);
      context.showSpanOfLastTrace(i);
    }
  }

  private static OtelThreadRecord inPlace(ByteBuffer memory, int size) {
    return new OtelThreadRecord(recordMemory(memory, size), STORAGE, pointerTo(0x1000));
  }

  /** Returns memory whose only record is valid. */
  private static ByteBuffer memory(int contextSize) {
    return ByteBuffer.allocateDirect(STORAGE + 37 + 2 * contextSize).put(STORAGE + 2, (byte) 1);
  }

  private static RecordMemory recordMemory(ByteBuffer memory, int contextSize) {
    return new RecordMemory(memory.duplicate(), 0x2000, contextSize);
  }

  private static ByteBuffer storage(ByteBuffer memory) {
    return memory.slice(STORAGE, 37);
  }

  /** Returns the memory after the 37 bytes of Elastic's record. */
  private static ByteBuffer contexts(ByteBuffer memory) {
    return memory.duplicate().position(STORAGE + 37).slice();
  }

  private static ByteBuffer pointerTo(long address) {
    ByteBuffer pointer = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder());
    return pointer.putLong(0, address);
  }

  private String bytes(int from, int to) {
    return bytes(record, from, to);
  }

  private static String bytes(ByteBuffer buffer, int from, int to) {
    byte[] all = new byte[buffer.capacity()];
    buffer.duplicate().clear().get(all);
    return HexFormat.of().formatHex(Arrays.copyOfRange(all, from, to));
  }
}
