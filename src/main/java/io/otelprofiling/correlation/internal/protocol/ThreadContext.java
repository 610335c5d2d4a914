/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Flyweight over one thread's OpenTelemetry thread context, which a profiler reads while it has
 * paused that thread, and over the {@link ThreadStorage} in front of it: both show the same, and
 * are written at once.
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
 * <p>A thread has two records, and a pointer says which of them readers see. To go from one trace
 * to another, it writes the one that is not seen, and then turns the pointer, so that readers find
 * a complete record at any time. The pointer of a virtual thread belongs to its carrier; native
 * code turns it, because a virtual thread does not leave its carrier meanwhile. On Java 8 a pointer
 * might be seen half written, so one record is used, which is invalid while it changes.
 *
 * <p>Source: OTEP 4947, "Thread context".
 */
public final class ThreadContext extends ShownSpan {
  /** The length of a record without attributes in bytes. */
  public static final int LENGTH = 28;

  /** How many bytes of attributes all known readers accept. */
  public static final int MAX_ATTRIBUTES_SIZE = 256;

  private static final long NO_LOCAL_ROOT = 0;

  // Where the first context is; the storage is in front of it.
  private static final int FIRST = ThreadStorage.LENGTH;

  private static final int TRACE_ID_OFFSET = 0;
  private static final int SPAN_ID_OFFSET = 16;
  private static final int VALID_OFFSET = 24;
  private static final int TRACE_FLAGS_OFFSET = 25;
  private static final int ATTRIBUTES_SIZE_OFFSET = 26;
  private static final int ATTRIBUTES_OFFSET = 28;

  private final ByteBuffer records;
  private final ByteBuffer nativeEndian;
  private final OrderingFence fence = new OrderingFence();

  // At most one of them is there. If none is, one context only is used.
  private final @Nullable ByteBuffer pointer;
  private final @Nullable CarrierPointer carrier;

  private final long address; // of the records, if there is a pointer
  private final int size;
  private final int second; // where the second context is, or the only one

  // Where the context is that readers see, also after a failure at any step.
  private int at = FIRST;

  // Where the span is that was begun: there, or in the other context.
  private int begun = FIRST;

  // Whether the span that was begun is shown by turning the pointer, because another one is shown.
  private boolean turns;

  /** Turns the pointer of the carrier that the calling virtual thread runs on. */
  public interface CarrierPointer {
    /**
     * Makes readers see the other context, and in the storage its ids.
     *
     * @param localRootSpanId what the storage shows as local root; if it is 0, it shows no trace
     */
    void turn(boolean toSecond, long localRootSpanId);
  }

  /**
   * Takes over a {@link ThreadStorage} whose layout version native code has set, and behind it two
   * contexts, each of which has half of the other bytes.
   *
   * @param pointer the pointer to the one that readers see, which now must be the first; null if
   *     they always see that one
   * @throws IllegalArgumentException if the contexts are shorter than {@link #LENGTH}
   */
  public ThreadContext(ByteBuffer records, @Nullable ByteBuffer pointer) {
    // Java 8 does not guarantee that a long is written at once.
    this(records, OrderingFence.JAVA_8 ? null : pointer, null);
  }

  /**
   * Does the same for a virtual thread.
   *
   * @param carrier what shows one of the contexts, which now must be the first
   */
  public ThreadContext(ByteBuffer records, CarrierPointer carrier) {
    this(records, null, carrier);
  }

  private ThreadContext(
      ByteBuffer records, @Nullable ByteBuffer pointer, @Nullable CarrierPointer carrier) {
    this.size = (records.capacity() - FIRST) / 2;
    if (size < LENGTH) {
      throw new IllegalArgumentException("thread context of " + size + " bytes");
    }
    this.records = records.duplicate().order(ByteOrder.BIG_ENDIAN);
    this.nativeEndian = records.duplicate().order(ByteOrder.nativeOrder());
    this.pointer = pointer == null ? null : pointer.duplicate().order(ByteOrder.nativeOrder());
    this.address = this.pointer == null ? 0 : this.pointer.getLong(0) - FIRST;
    this.carrier = carrier;
    this.second = canTurn() ? FIRST + size : FIRST;
    for (begun = second; begun >= FIRST; begun -= size) {
      records.put(begun + VALID_OFFSET, (byte) 0);
      setAttributesSize(0);
    }
    begun = FIRST;
  }

  /** Returns how many bytes of attributes have room. */
  public int attributesCapacity() {
    return size < ATTRIBUTES_OFFSET + MAX_ATTRIBUTES_SIZE ? 0 : MAX_ATTRIBUTES_SIZE;
  }

  /**
   * Makes the record that readers see invalid, as it has to be while anything but its span id
   * changes.
   */
  public void invalidate() {
    begun = at;
    records.put(at + VALID_OFFSET, (byte) 0);
    fence.order();
  }

  /**
   * Begins to write a span that may be of any trace. Nothing but attributes may be written until it
   * is shown.
   */
  public void beginSpan() {
    turns = canTurn() && records.get(at + VALID_OFFSET) != 0;
    begun = turns ? FIRST + second - at : at; // what readers do not see may be half written
    if (!canTurn()) {
      invalidate();
    }
  }

  private boolean canTurn() {
    return pointer != null || carrier != null;
  }

  /**
   * Sets one byte of the attributes. The record must be invalid, or begun by {@link #beginSpan}.
   */
  public void putAttributeByte(int index, byte value) {
    records.put(begun + ATTRIBUTES_OFFSET + index, value);
  }

  /** Sets the size of the attributes in bytes, under the same condition. */
  public void setAttributesSize(int size) {
    nativeEndian.putShort(begun + ATTRIBUTES_SIZE_OFFSET, (short) size);
  }

  /**
   * Shows a span after {@link #beginSpan} that the sampler dropped. The storage shows no trace for
   * it.
   */
  public void showUnrecordedSpan(byte flags, long traceIdHigh, long traceIdLow, long spanId) {
    setSpan(flags, traceIdHigh, traceIdLow, spanId);
    if (turns && carrier != null) {
      turnCarrier(carrier, NO_LOCAL_ROOT);
      return;
    }
    ThreadStorage.setValid(records, false);
    fence.order();
    showWritten();
    ThreadStorage.setTracePresent(records, false);
    fence.order();
    ThreadStorage.setValid(records, true);
    fence.order();
  }

  @Override
  public void showSpan(
      byte flags, long traceIdHigh, long traceIdLow, long spanId, long localRootSpanId) {
    beginSpan();
    showBegunSpan(flags, traceIdHigh, traceIdLow, spanId, localRootSpanId);
  }

  /**
   * Shows a span after {@link #beginSpan}. The storage is invalid while the context changes; but if
   * neither shows a trace, the context follows, and nothing needs to be invalid. So the two never
   * show different traces.
   */
  public void showBegunSpan(
      byte flags, long traceIdHigh, long traceIdLow, long spanId, long localRootSpanId) {
    setSpan(flags, traceIdHigh, traceIdLow, spanId);
    if (turns && carrier != null) {
      turnCarrier(carrier, localRootSpanId);
      return;
    }
    if (turns || ThreadStorage.showsTrace(records)) {
      ThreadStorage.setValid(records, false);
      fence.order();
      showWritten();
      ThreadStorage.setSpan(records, flags, traceIdHigh, traceIdLow, spanId, localRootSpanId);
      ThreadStorage.setTracePresent(records, true);
      fence.order();
      ThreadStorage.setValid(records, true);
    } else {
      ThreadStorage.setSpan(records, flags, traceIdHigh, traceIdLow, spanId, localRootSpanId);
      ThreadStorage.setValid(records, true); // a failure may have left it invalid
      fence.order();
      ThreadStorage.setTracePresent(records, true);
      fence.order();
      showWritten();
    }
    fence.order();
  }

  private void setSpan(byte flags, long traceIdHigh, long traceIdLow, long spanId) {
    records.putLong(begun + TRACE_ID_OFFSET, traceIdHigh);
    records.putLong(begun + TRACE_ID_OFFSET + Long.BYTES, traceIdLow);
    records.put(begun + TRACE_FLAGS_OFFSET, flags);
    records.putLong(begun + SPAN_ID_OFFSET, spanId);
    if (turns) {
      records.put(begun + VALID_OFFSET, (byte) 1);
    }
  }

  private void turnCarrier(CarrierPointer carrier, long localRootSpanId) {
    fence.order();
    carrier.turn(begun == second, localRootSpanId);
    at = begun;
  }

  /** Makes readers see the record that was written; the caller orders this after it. */
  @SuppressWarnings("NullAway") // what turns here, has a pointer
  private void showWritten() {
    if (turns) {
      pointer.putLong(0, address + begun);
      at = begun;
    } else {
      records.put(at + VALID_OFFSET, (byte) 1);
    }
  }

  /** {@inheritDoc} Attributes may have been set since {@link #invalidate}. */
  @Override
  public void showSpanOfLastTrace(long spanId) {
    if (OrderingFence.JAVA_8) {
      ThreadStorage.setValid(records, false);
      invalidate(); // Java 8 does not guarantee that a long is written at once
    }
    ThreadStorage.setSpanId(records, spanId);
    records.putLong(at + SPAN_ID_OFFSET, spanId);
    fence.order();
    ThreadStorage.setTracePresent(records, true);
    if (OrderingFence.JAVA_8) {
      ThreadStorage.setValid(records, true);
    }
    records.put(at + VALID_OFFSET, (byte) 1);
    fence.order();
  }

  @Override
  public void changeSpan(long spanId) {
    if (OrderingFence.JAVA_8) {
      showSpanOfLastTrace(spanId);
      return;
    }
    ThreadStorage.setSpanId(records, spanId);
    records.putLong(at + SPAN_ID_OFFSET, spanId);
    fence.order();
  }

  @Override
  public void showNoTrace() {
    records.put(at + VALID_OFFSET, (byte) 0);
    ThreadStorage.setTracePresent(records, false);
    fence.order();
  }

  @Override
  public void showNoTraceInPlaceOf(long spanId) {
    // Another class loader may have written either of them since.
    if (ThreadStorage.spanId(records) == spanId) {
      ThreadStorage.setTracePresent(records, false);
    }
    if (records.getLong(at + SPAN_ID_OFFSET) == spanId) {
      records.put(at + VALID_OFFSET, (byte) 0);
    }
    fence.order();
  }

  @Override
  public void showNoTraceAfterFailure() {
    ThreadStorage.setTracePresent(records, false);
    records.put(FIRST + VALID_OFFSET, (byte) 0);
    records.put(second + VALID_OFFSET, (byte) 0);
    fence.order();
    ThreadStorage.setValid(records, true);
    fence.order();
  }
}
