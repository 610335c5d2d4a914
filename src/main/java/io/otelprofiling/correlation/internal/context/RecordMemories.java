/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.protocol.OtelThreadRecord;
import io.otelprofiling.correlation.internal.protocol.RecordMemory;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The native memory that holds the records of all threads, by the start address of each piece.
 * Native code never frees it. Thread-safe.
 */
final class RecordMemories {
  private final ConcurrentSkipListMap<Long, RecordMemory> memories = new ConcurrentSkipListMap<>();

  /** Returns the thread contexts of a platform thread, which follow the record at this address. */
  OtelThreadRecord contextAt(long record, ByteBuffer pointer) {
    RecordMemory memory = around(record);
    return new OtelThreadRecord(memory, memory.offsetOf(record), pointer);
  }

  /** Returns the thread contexts of a virtual thread, which follow the record at this address. */
  OtelThreadRecord contextAt(long record, OtelThreadRecord.CarrierPointer carrier) {
    RecordMemory memory = around(record);
    return new OtelThreadRecord(memory, memory.offsetOf(record), carrier);
  }

  private RecordMemory around(long record) {
    Map.Entry<Long, RecordMemory> found = memories.floorEntry(record);
    if (found != null && found.getValue().contains(record)) {
      return found.getValue();
    }
    ByteBuffer memory = NativeLibrary.recordsAround(record);
    long address = NativeLibrary.addressOf(memory);
    RecordMemory added = new RecordMemory(memory, address, NativeLibrary.threadContextSize(record));
    memories.put(address, added);
    return added;
  }
}
