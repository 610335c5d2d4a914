/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Flyweight over one thread's OpenTelemetry thread context, which a profiler reads while it has
 * paused that thread.
 *
 * <pre>
 *   0            16          24      25            26                 28
 *   +------------+-----------+-------+-------------+------------------+----------------+
 *   | trace id   | span id   | valid | trace flags | attributes size  | attributes     |
 *   | uint8[16]  | uint8[8]  | uint8 | uint8       | uint16           | uint8[size]    |
 *   +------------+-----------+-------+-------------+------------------+----------------+
 * </pre>
 *
 * <p>An attribute consists of the index of its key in the process context, the length of its value
 * in bytes, and the value in UTF-8. Ids are passed as big-endian longs, already decoded. Native
 * code aligns the ids, so that one instruction writes a span id, and a record stays valid while
 * only the span id changes, except on Java 8. Only the thread that owns the record may call the
 * methods; none of them allocates.
 *
 * <p>Source: OTEP 4947, "Thread context".
 */
public final class ThreadContext {
  /** The length of a record without attributes in bytes. */
  public static final int LENGTH = 28;

  /** How many bytes of attributes all known readers accept. */
  public static final int MAX_ATTRIBUTES_SIZE = 256;

  private static final int TRACE_ID_OFFSET = 0;
  private static final int SPAN_ID_OFFSET = 16;
  private static final int VALID_OFFSET = 24;
  private static final int TRACE_FLAGS_OFFSET = 25;
  private static final int ATTRIBUTES_SIZE_OFFSET = 26;
  private static final int ATTRIBUTES_OFFSET = 28;

  private final ByteBuffer record;
  private final ByteBuffer nativeEndian;
  private final OrderingFence fence = new OrderingFence();

  /**
   * Takes over a record.
   *
   * @throws IllegalArgumentException if it is shorter than {@link #LENGTH}
   */
  public ThreadContext(ByteBuffer record) {
    if (record.capacity() < LENGTH) {
      throw new IllegalArgumentException("thread context of " + record.capacity() + " bytes");
    }
    this.record = record.duplicate().order(ByteOrder.BIG_ENDIAN);
    this.nativeEndian = record.duplicate().order(ByteOrder.nativeOrder());
    invalidate();
    setAttributesSize(0);
  }

  /** Returns how many bytes of attributes have room. */
  public int attributesCapacity() {
    return Math.min(record.capacity() - ATTRIBUTES_OFFSET, MAX_ATTRIBUTES_SIZE);
  }

  /** Makes the record invalid, as it has to be while anything but the span id changes. */
  public void invalidate() {
    record.put(VALID_OFFSET, (byte) 0);
    fence.order();
  }

  /** Sets one byte of the attributes. The record must be invalid. */
  public void putAttributeByte(int index, byte value) {
    record.put(ATTRIBUTES_OFFSET + index, value);
  }

  /** Sets the size of the attributes in bytes. The record must be invalid. */
  public void setAttributesSize(int size) {
    nativeEndian.putShort(ATTRIBUTES_SIZE_OFFSET, (short) size);
  }

  /** Shows a span, whatever the record showed before. The record must be invalid. */
  public void showSpan(byte flags, long traceIdHigh, long traceIdLow, long spanId) {
    record.putLong(TRACE_ID_OFFSET, traceIdHigh);
    record.putLong(TRACE_ID_OFFSET + Long.BYTES, traceIdLow);
    record.put(TRACE_FLAGS_OFFSET, flags);
    record.putLong(SPAN_ID_OFFSET, spanId);
    fence.order();
    validate();
  }

  /**
   * Shows a span that differs only in its id, and in attributes that were set since {@link
   * #invalidate}, from the last one, whether or not that is still shown.
   */
  public void showSpanOfLastTrace(long spanId) {
    if (OrderingFence.JAVA_8) {
      invalidate(); // Java 8 does not guarantee that a long is written at once
    }
    record.putLong(SPAN_ID_OFFSET, spanId);
    fence.order();
    validate();
  }

  /**
   * Does the same in the other record of the thread, too. For both together it takes as many fences
   * as for one.
   */
  public void showSpanOfLastTrace(ThreadStorage other, long spanId) {
    if (OrderingFence.JAVA_8) {
      other.showSpanOfLastTrace(spanId);
      showSpanOfLastTrace(spanId);
      return;
    }
    other.setSpanId(spanId);
    record.putLong(SPAN_ID_OFFSET, spanId);
    fence.order();
    other.setTracePresent(true);
    validate();
  }

  /** Shows no trace in this record and in the other one of the thread. */
  public void showNoTrace(ThreadStorage other) {
    record.put(VALID_OFFSET, (byte) 0);
    other.setTracePresent(false);
    fence.order();
  }

  /** Shows another span of the trace that is shown now in both records of the thread. */
  public void changeSpan(ThreadStorage other, long spanId) {
    if (OrderingFence.JAVA_8) {
      showSpanOfLastTrace(other, spanId);
      return;
    }
    other.setSpanId(spanId);
    record.putLong(SPAN_ID_OFFSET, spanId);
    fence.order();
  }

  private void validate() {
    record.put(VALID_OFFSET, (byte) 1);
    fence.order();
  }

  /** Shows no span, if this one was the last that was written. */
  public void showNoTraceInPlaceOf(long spanId) {
    if (record.getLong(SPAN_ID_OFFSET) == spanId) {
      invalidate();
    }
  }
}
