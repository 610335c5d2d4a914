/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.nativelib.NativeBridge;
import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import io.flamespan.correlation.internal.protocol.ElasticThreadRecord;
import io.flamespan.correlation.internal.protocol.OtelThreadRecord;
import io.flamespan.correlation.internal.protocol.RecordMemory;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** Creates the records of each thread, for the protocols in use. Thread-safe. */
final class RecordFactory {
  private final VirtualThreads virtualThreads;
  // The native memory of all records, by the start address of each piece. It is never freed.
  private final ConcurrentSkipListMap<Long, RecordMemory> memories = new ConcurrentSkipListMap<>();
  private final RateLimitedLogger logger = new RateLimitedLogger(RecordFactory.class);
  private volatile @Nullable OtelAttributes otelAttributes;
  private volatile boolean without;

  RecordFactory(VirtualThreads virtualThreads) {
    this.virtualThreads = virtualThreads;
  }

  /**
   * Begins a run of the mirror.
   *
   * @param otelAttributes the attributes of OpenTelemetry thread contexts, or null if threads have
   *     no thread contexts
   */
  void start(@Nullable OtelAttributes otelAttributes) {
    this.otelAttributes = otelAttributes;
    without = false;
  }

  /** Begins a run of the mirror in which no thread has records. */
  void startWithout() {
    otelAttributes = null;
    without = true;
  }

  /** Returns whether spans that the sampler dropped are shown. */
  boolean showsDroppedSpans() {
    return otelAttributes != null;
  }

  /**
   * Returns the calling thread's records, or null if there are none, or on virtual threads that are
   * not to show traces.
   */
  @Nullable RecordWriter ofCurrentThread() {
    boolean virtual = VirtualThreads.isCurrent();
    if (without || (virtual && !virtualThreads.areShown())) {
      return null;
    }
    OtelAttributes attributes = otelAttributes;
    if (attributes != null) {
      try {
        boolean withAttributes = !attributes.isEmpty();
        long record =
            virtual
                ? NativeLibrary.virtualThreadRecords(withAttributes)
                : NativeLibrary.threadRecords(withAttributes);
        RecordMemory memory = around(record);
        int at = memory.offsetOf(record); // two thread contexts follow it
        return new RecordWriter(
            virtual
                ? new OtelThreadRecord(memory, at, NativeBridge::turnVirtualThreadContext0)
                : new OtelThreadRecord(memory, at, NativeLibrary.threadContextPointer()),
            attributes);
      } catch (IllegalStateException e) { // no memory for it
        logger.warn("A thread has no OpenTelemetry thread context", e);
      }
    }
    return new RecordWriter(
        new ElasticThreadRecord(
            virtual
                ? NativeBridge.recordAt0(NativeLibrary.virtualThreadRecords(false))
                : NativeBridge.threadRecord0()));
  }

  private RecordMemory around(long record) {
    Map.Entry<Long, RecordMemory> found = memories.floorEntry(record);
    if (found != null && found.getValue().contains(record)) {
      return found.getValue();
    }
    ByteBuffer memory = NativeBridge.recordsAround0(record);
    long address = NativeBridge.addressOf0(memory);
    RecordMemory added = new RecordMemory(memory, address, NativeBridge.threadContextSize0(record));
    memories.put(address, added);
    return added;
  }
}
