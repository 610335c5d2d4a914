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
 * The native memory with the records of all threads, by where each piece begins. Native code never
 * frees it. Thread-safe.
 */
final class RecordMemories {
  private final ConcurrentSkipListMap<Long, RecordMemory> memories = new ConcurrentSkipListMap<>();

  /** Takes over the thread contexts of a platform thread behind a record at this address. */
  OtelThreadRecord contextAt(long record, ByteBuffer pointer) {
    RecordMemory memory = around(record);
    return new OtelThreadRecord(memory, memory.offsetOf(record), pointer);
  }

  /** Does the same for a virtual thread. */
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
