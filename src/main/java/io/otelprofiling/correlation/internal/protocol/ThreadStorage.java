/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Flyweight over one thread's record, which a profiler reads while it has paused that thread.
 *
 * <pre>
 *   0                    2       3               4             5            21         29            37
 *   +--------------------+-------+---------------+-------------+------------+----------+-------------+
 *   | layout minor = 1   | valid | trace present | trace flags | trace id   | span id  | transaction |
 *   | uint16             | uint8 | uint8         | uint8       | uint8[16]  | uint8[8] | id uint8[8] |
 *   +--------------------+-------+---------------+-------------+------------+----------+-------------+
 * </pre>
 *
 * <p>The protocol's "transaction id" is the span id of the local root span. Ids are passed as
 * big-endian longs, already decoded. The record becomes invalid only while it changes from one
 * local trace directly to another, and on Java 8 while the span id changes. While it shows no
 * trace, readers ignore the ids, and one instruction writes a span id, because native code aligns
 * it. Only the thread that owns the record may call the methods; none of them allocates.
 *
 * <p>Source: Universal profiling integration, "Thread local storage".
 */
public final class ThreadStorage extends ShownSpan {
  /** The length of a record in bytes. */
  public static final int LENGTH = 37;

  private static final int VALID_OFFSET = 2;
  private static final int TRACE_PRESENT_OFFSET = 3;
  private static final int TRACE_FLAGS_OFFSET = 4;
  private static final int TRACE_ID_OFFSET = 5;
  private static final int SPAN_ID_OFFSET = 21;
  private static final int TRANSACTION_ID_OFFSET = 29;

  private final ByteBuffer record;
  private final OrderingFence fence = new OrderingFence();

  /**
   * Takes over a record whose layout version native code has set.
   *
   * @throws IllegalArgumentException if the record does not have {@link #LENGTH} bytes
   */
  public ThreadStorage(ByteBuffer record) {
    if (record.capacity() != LENGTH) {
      throw new IllegalArgumentException("record of " + record.capacity() + " bytes");
    }
    this.record = record.duplicate().order(ByteOrder.BIG_ENDIAN);
  }

  @Override
  public void showSpan(
      byte flags, long traceIdHigh, long traceIdLow, long spanId, long localRootSpanId) {
    boolean replaces = showsTrace(record);
    if (replaces) {
      setValid(record, false);
      fence.order();
    }
    setSpan(record, flags, traceIdHigh, traceIdLow, spanId, localRootSpanId);
    fence.order();
    record.put(replaces ? VALID_OFFSET : TRACE_PRESENT_OFFSET, (byte) 1);
    fence.order();
  }

  @Override
  public void showSpanOfLastTrace(long spanId) {
    if (OrderingFence.JAVA_8) {
      // Java 8 does not guarantee that a long is written at once.
      setValid(record, false);
      fence.order();
    }
    setSpanId(record, spanId);
    fence.order();
    setTracePresent(record, true);
    fence.order();
    if (OrderingFence.JAVA_8) {
      setValid(record, true);
      fence.order();
    }
  }

  @Override
  public void changeSpan(long spanId) {
    if (OrderingFence.JAVA_8) {
      showSpanOfLastTrace(spanId);
      return;
    }
    setSpanId(record, spanId);
    fence.order();
  }

  @Override
  public void showNoTraceInPlaceOf(long spanId) {
    if (spanId(record) == spanId) {
      showNoTrace();
    }
  }

  @Override
  public void showNoTraceAfterFailure() {
    showNoTrace();
    setValid(record, true);
    fence.order();
  }

  @Override
  public void showNoTrace() {
    // A single byte cannot be seen half written, so the record stays valid.
    setTracePresent(record, false);
    fence.order();
  }

  // The following are for all whose memory begins with a record. The caller orders what they do
  // before and after other changes.

  static boolean showsTrace(ByteBuffer record) {
    return record.get(TRACE_PRESENT_OFFSET) != 0;
  }

  /** Sets all that a span has; the record must be invalid or show no trace. */
  static void setSpan(
      ByteBuffer record,
      byte flags,
      long traceIdHigh,
      long traceIdLow,
      long spanId,
      long localRootSpanId) {
    record.put(TRACE_FLAGS_OFFSET, flags);
    record.putLong(TRACE_ID_OFFSET, traceIdHigh);
    record.putLong(TRACE_ID_OFFSET + Long.BYTES, traceIdLow);
    setSpanId(record, spanId);
    record.putLong(TRANSACTION_ID_OFFSET, localRootSpanId);
  }

  static long spanId(ByteBuffer record) {
    return record.getLong(SPAN_ID_OFFSET);
  }

  static void setSpanId(ByteBuffer record, long spanId) {
    record.putLong(SPAN_ID_OFFSET, spanId);
  }

  static void setTracePresent(ByteBuffer record, boolean present) {
    record.put(TRACE_PRESENT_OFFSET, (byte) (present ? 1 : 0));
  }

  static void setValid(ByteBuffer record, boolean valid) {
    record.put(VALID_OFFSET, (byte) (valid ? 1 : 0));
  }
}
