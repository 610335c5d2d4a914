/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Memory for the records of threads that have no thread-local storage. Every record keeps its chunk
 * alive, and the garbage collector takes that back when all its records are gone, so no record can
 * be freed while anything still refers to it. Safe for use by many threads.
 */
public final class RecordChunk {
  private static final int RECORDS = 32;
  // Two threads that write the same cache line, or neighbouring ones, slow each other down.
  private static final int DISTANCE = 128;
  // Puts the ids, which begin at offset 5 of a record, on 8-byte boundaries.
  private static final int PADDING = 3;

  private static volatile RecordChunk current = new RecordChunk();

  private final ByteBuffer memory = ByteBuffer.allocateDirect(RECORDS * DISTANCE);
  private final AtomicInteger taken = new AtomicInteger();

  private RecordChunk() {}

  /**
   * Memory for one record, {@link ThreadStorage#LENGTH} bytes.
   *
   * @throws OutOfMemoryError if the JVM may not use more direct memory
   */
  public static ByteBuffer newRecord() {
    while (true) {
      RecordChunk chunk = current;
      ByteBuffer record = chunk.take();
      if (record != null) {
        return record;
      }
      replace(chunk);
    }
  }

  private @Nullable ByteBuffer take() {
    int index = taken.getAndIncrement();
    if (index >= RECORDS) {
      return null;
    }
    ByteBuffer view = memory.duplicate();
    view.position(index * DISTANCE + PADDING);
    view.limit(view.position() + ThreadStorage.LENGTH);
    return view.slice();
  }

  private static synchronized void replace(RecordChunk full) {
    if (current == full) {
      current = new RecordChunk();
    }
  }
}
