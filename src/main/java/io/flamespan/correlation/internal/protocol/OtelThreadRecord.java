/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Flyweight over one thread's OpenTelemetry thread context, which a profiler reads while it has
 * paused that thread, and over the {@link ElasticThreadRecord} before it. Both show the same and
 * are written together.
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
 * code aligns the records so that a single instruction writes an id, and another one the four bytes
 * after the ids. Only the thread that owns the record may call the methods; none of them allocates.
 *
 * <p>A thread has two contexts, and a pointer selects the one that readers see. To change from one
 * trace to another, the thread writes the context that is not selected and then turns the pointer,
 * so readers find a complete context at any time. The pointer of a virtual thread belongs to its
 * carrier. Native code turns it, because a virtual thread cannot leave its carrier meanwhile.
 *
 * <p>Source: OTEP 4947, "Thread context".
 */
public final class OtelThreadRecord extends ThreadRecord {
  /** The length of a record without attributes in bytes. */
  public static final int LENGTH = 28;

  /** The maximum size of the attributes in bytes that all known readers accept. */
  public static final int MAX_ATTRIBUTES_SIZE = 256;

  private static final long NO_LOCAL_ROOT = 0;

  private static final int SPAN_ID_OFFSET = 16;
  private static final int WORD_OFFSET = 24; // of the four bytes after the ids
  private static final int ATTRIBUTES_OFFSET = LENGTH;

  private static final int INVALID = 0;
  private static final int VALID = 1;
  private static final int FLAGS_SHIFT = 8;
  private static final int ATTRIBUTES_SIZE_SHIFT = 16;

  private final ByteBuffer bytes;
  private final LongBuffer ids;
  private final IntBuffer words;
  private final OrderingFence fence = OrderingFence.ofOneThread();

  // One of these is set: the second one on virtual threads.
  private final @Nullable LongBuffer pointer;
  private final @Nullable CarrierPointer carrier;

  private final long address; // of the memory, if readers follow a pointer to it
  private final int size;
  private final int first; // the offset of the first context; Elastic's record precedes it

  // The offset of the context that readers see. Remains correct after a failure at any step.
  private int at;

  // The offset of the context in which a span was begun. If readers see the other context, because
  // it shows another span, turning the pointer shows this one.
  private int begun;

  private int attributesSize;
  private int lastTrace; // the words that showed the last trace
  private int lastElasticWord;

  /** Turns the pointer of the carrier on which the calling virtual thread runs. */
  public interface CarrierPointer {
    /**
     * Makes readers see the other context, and copies its ids to Elastic's record.
     *
     * @param elasticRecordAddress the address of Elastic's record
     * @param localRootSpanId the local root that Elastic's record shows; if 0, it shows no trace
     */
    void turn(long elasticRecordAddress, boolean toSecond, long localRootSpanId);
  }

  /**
   * Takes over an {@link ElasticThreadRecord} whose layout version was set by native code, and the
   * two contexts after it.
   *
   * @param elasticRecord the offset of Elastic's record in the memory
   * @param pointer the pointer to the context that readers see, which must now be the first one
   * @throws IllegalArgumentException if the ids would not be on 8-byte boundaries
   */
  public OtelThreadRecord(RecordMemory memory, int elasticRecord, ByteBuffer pointer) {
    this(memory, elasticRecord, pointer, null);
  }

  /**
   * Like the other constructor, for a virtual thread.
   *
   * @param carrier selects the context that readers see, which must now be the first one
   */
  public OtelThreadRecord(RecordMemory memory, int elasticRecord, CarrierPointer carrier) {
    this(memory, elasticRecord, null, carrier);
  }

  private OtelThreadRecord(
      RecordMemory memory,
      int elasticRecord,
      @Nullable ByteBuffer pointer,
      @Nullable CarrierPointer carrier) {
    if ((elasticRecord + ElasticThreadRecord.IDS_OFFSET) % Long.BYTES != 0) {
      throw new IllegalArgumentException("record at " + elasticRecord);
    }
    this.bytes = memory.bytes;
    this.ids = memory.ids;
    this.words = memory.words;
    this.size = memory.contextSize();
    this.first = elasticRecord + ElasticThreadRecord.LENGTH;
    this.at = first;
    this.begun = first;
    this.pointer =
        pointer == null ? null : pointer.duplicate().order(ByteOrder.nativeOrder()).asLongBuffer();
    this.address = this.pointer == null ? memory.address() : this.pointer.get(0) - first;
    this.carrier = carrier;
    invalidate();
  }

  private void invalidate() {
    words.put(word(first + size), INVALID);
    words.put(word(first), INVALID);
  }

  private static int word(int context) {
    return (context + WORD_OFFSET) >> 2;
  }

  private int elasticWord() {
    return (first - ElasticThreadRecord.LENGTH + ElasticThreadRecord.WORDS_OFFSET) >> 2;
  }

  private static int traceId(int context) {
    return context >> 3;
  }

  private static int spanId(int context) {
    return (context + SPAN_ID_OFFSET) >> 3;
  }

  private int elasticIds() {
    return (first - ElasticThreadRecord.LENGTH + ElasticThreadRecord.IDS_OFFSET) >> 3;
  }

  /** Returns how many bytes of attributes fit in. */
  public int attributesCapacity() {
    return size < ATTRIBUTES_OFFSET + MAX_ATTRIBUTES_SIZE ? 0 : MAX_ATTRIBUTES_SIZE;
  }

  /**
   * Begins to write a span, which may be of any trace. Only attributes may be written until the
   * span is shown.
   */
  public void beginSpan() {
    boolean turns = words.get(word(at)) != INVALID;
    begun = turns ? 2 * first + size - at : at; // readers do not see it, so it may be half written
  }

  private boolean turns() {
    return begun != at;
  }

  /** Sets one byte of the attributes, after {@link #beginSpan}. */
  public void putAttributeByte(int index, byte value) {
    bytes.put(begun + ATTRIBUTES_OFFSET + index, value);
  }

  /** Sets the size of the attributes in bytes, for all spans from the next one on. */
  public void setAttributesSize(int size) {
    attributesSize = size;
  }

  /**
   * Shows a span that the sampler dropped, after {@link #beginSpan}. Elastic's record shows no
   * trace for it.
   */
  public void showUnrecordedSpan(byte flags, long traceIdHigh, long traceIdLow, long spanId) {
    putSpan(flags, traceIdHigh, traceIdLow, spanId);
    if (carrier != null && turns()) {
      turnCarrier(carrier, NO_LOCAL_ROOT);
      return;
    }
    words.put(elasticWord(), ElasticThreadRecord.INVALID);
    fence.order();
    showWritten();
    fence.order();
    words.put(elasticWord(), ElasticThreadRecord.NO_TRACE);
    fence.order();
  }

  /**
   * Says to native code of the process whose work a span is that was shown with {@link
   * #showUnrecordedSpan}. Profilers do not read it, because Elastic's record shows no trace.
   *
   * @param number stands for the name of the local root span
   */
  public void noteUnrecordedRoot(long number) {
    ids.put(elasticIds() + ElasticThreadRecord.TRANSACTION_ID, number);
    fence.order();
  }

  @Override
  public void showSpan(
      byte flags, long traceIdHigh, long traceIdLow, long spanId, long localRootSpanId) {
    beginSpan();
    showBegunSpan(flags, traceIdHigh, traceIdLow, spanId, localRootSpanId);
  }

  /**
   * Shows a span, after {@link #beginSpan}. Elastic's record is invalid while the context changes.
   * If neither of them shows a trace, the context is written last instead, and nothing has to
   * become invalid. In this way the two never show different traces.
   */
  public void showBegunSpan(
      byte flags, long traceIdHigh, long traceIdLow, long spanId, long localRootSpanId) {
    putSpan(flags, traceIdHigh, traceIdLow, spanId);
    lastElasticWord = ElasticThreadRecord.trace(flags);
    boolean turns = turns();
    if (turns && carrier != null) {
      turnCarrier(carrier, localRootSpanId);
      return;
    }
    boolean replaces = turns || ElasticThreadRecord.isTrace(words.get(elasticWord()));
    if (replaces) {
      words.put(elasticWord(), ElasticThreadRecord.INVALID);
      fence.order();
      showWritten();
    }
    ElasticThreadRecord.putIds(ids, elasticIds(), traceIdHigh, traceIdLow, spanId, localRootSpanId);
    fence.order();
    words.put(elasticWord(), lastElasticWord);
    fence.order();
    if (!replaces) {
      showWritten();
      fence.order();
    }
  }

  private void putSpan(byte flags, long traceIdHigh, long traceIdLow, long spanId) {
    int traceId = traceId(begun);
    ids.put(traceId, traceIdHigh);
    ids.put(traceId + 1, traceIdLow);
    ids.put(spanId(begun), spanId);
    lastTrace = VALID | (flags & 0xff) << FLAGS_SHIFT | attributesSize << ATTRIBUTES_SIZE_SHIFT;
    if (turns()) {
      words.put(word(begun), lastTrace);
    }
    fence.order();
  }

  private void turnCarrier(CarrierPointer carrier, long localRootSpanId) {
    carrier.turn(address + first - ElasticThreadRecord.LENGTH, begun != first, localRootSpanId);
    at = begun;
  }

  /** Makes readers see the span that was written. The caller orders this after the writing. */
  @SuppressWarnings("NullAway") // without a carrier, turning requires a pointer
  private void showWritten() {
    if (turns()) {
      pointer.put(0, address + begun);
      at = begun;
    } else {
      words.put(word(at), lastTrace);
    }
  }

  @Override
  public void showSpanOfLastTrace(long spanId) {
    changeSpan(spanId);
    words.put(elasticWord(), lastElasticWord);
    words.put(word(at), lastTrace);
    fence.order();
  }

  @Override
  public void changeSpan(long spanId) {
    ids.put(elasticIds() + ElasticThreadRecord.SPAN_ID, spanId);
    ids.put(spanId(at), spanId);
    fence.order();
  }

  @Override
  public void showNoTrace() {
    words.put(word(at), INVALID);
    words.put(elasticWord(), ElasticThreadRecord.NO_TRACE);
    fence.order();
  }

  @Override
  public void showNoTraceInPlaceOf(long spanId) {
    // Another class loader may have written to either of them since.
    if (ids.get(elasticIds() + ElasticThreadRecord.SPAN_ID) == spanId) {
      words.put(elasticWord(), ElasticThreadRecord.NO_TRACE);
    }
    if (ids.get(spanId(at)) == spanId) {
      words.put(word(at), INVALID);
    }
    fence.order();
  }

  @Override
  public void showNoTraceAfterFailure() {
    invalidate();
    words.put(elasticWord(), ElasticThreadRecord.NO_TRACE);
    fence.order();
  }
}
