/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

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
 * big-endian longs, already decoded. The record becomes invalid only while it changes directly from
 * one local trace to another. While it shows no trace, readers ignore the ids. Native code aligns
 * the record so that a single instruction writes an id, and another one the four bytes before the
 * ids. Only the thread that owns the record may call the methods; none of them allocates.
 *
 * <p>Source: Universal profiling integration, "Thread local storage".
 */
public final class ElasticThreadRecord extends ThreadRecord {
  /** The length of a record in bytes. */
  public static final int LENGTH = 37;

  // The word before the ids: the high byte of the minor version, valid, trace present, and flags.
  static final int WORDS_OFFSET = 1;
  private static final int WORD = 0; // the index of the word in a buffer that starts there
  static final int INVALID = 0;
  static final int NO_TRACE = 1 << 8;
  private static final int TRACE = NO_TRACE | 1 << 16;
  private static final int FLAGS_SHIFT = 24;

  // The indexes of the ids in a buffer that starts at this offset.
  static final int IDS_OFFSET = 5;
  private static final int IDS = 0;
  static final int SPAN_ID = 2;
  static final int TRANSACTION_ID = 3;

  private final IntBuffer words;
  private final LongBuffer ids;
  private final OrderingFence fence = OrderingFence.ofOneThread();
  private int lastTrace;

  /**
   * Takes over a record whose layout version was set by native code. Nothing else may use this
   * buffer.
   *
   * @throws IllegalArgumentException if the record does not have {@link #LENGTH} bytes
   */
  public ElasticThreadRecord(ByteBuffer record) {
    if (record.capacity() != LENGTH) {
      throw new IllegalArgumentException("record of " + record.capacity() + " bytes");
    }
    record.position(WORDS_OFFSET);
    words = record.order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
    record.position(IDS_OFFSET);
    ids = record.order(ByteOrder.BIG_ENDIAN).asLongBuffer();
  }

  /** Returns the word of a record that shows a span with these flags. */
  static int trace(byte flags) {
    return TRACE | flags << FLAGS_SHIFT;
  }

  /** Returns whether a record with this word shows a trace. */
  static boolean isTrace(int word) {
    return (word & TRACE & ~NO_TRACE) != 0;
  }

  /**
   * Writes all ids. The record must be invalid or show no trace.
   *
   * @param at the index of the first id
   */
  static void putIds(
      LongBuffer ids,
      int at,
      long traceIdHigh,
      long traceIdLow,
      long spanId,
      long localRootSpanId) {
    ids.put(at, traceIdHigh);
    ids.put(at + 1, traceIdLow);
    ids.put(at + SPAN_ID, spanId);
    ids.put(at + TRANSACTION_ID, localRootSpanId);
  }

  @Override
  public void showSpan(
      byte flags, long traceIdHigh, long traceIdLow, long spanId, long localRootSpanId) {
    if (isTrace(words.get(WORD))) {
      words.put(WORD, INVALID);
      fence.order();
    }
    putIds(ids, IDS, traceIdHigh, traceIdLow, spanId, localRootSpanId);
    fence.order();
    lastTrace = trace(flags);
    words.put(WORD, lastTrace);
    fence.order();
  }

  @Override
  public void showSpanOfLastTrace(long spanId) {
    ids.put(SPAN_ID, spanId);
    fence.order();
    words.put(WORD, lastTrace);
    fence.order();
  }

  @Override
  public void changeSpan(long spanId) {
    ids.put(SPAN_ID, spanId);
    fence.order();
  }

  @Override
  public void showNoTraceInPlaceOf(long spanId) {
    if (ids.get(SPAN_ID) == spanId) {
      showNoTrace();
    }
  }

  @Override
  public void showNoTraceAfterFailure() {
    showNoTrace();
  }

  @Override
  public void showNoTrace() {
    words.put(WORD, NO_TRACE);
    fence.order();
  }
}
