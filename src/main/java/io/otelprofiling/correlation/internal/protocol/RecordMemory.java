/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * Native memory in which one thread, or many, have an {@link ElasticThreadRecord} with two {@link
 * OtelThreadRecord}s behind it. Threads share the views of it, because there may be many virtual
 * threads.
 */
public final class RecordMemory {
  final ByteBuffer bytes;
  final LongBuffer ids;
  final IntBuffer words;
  private final long address;
  private final int contextSize;

  /**
   * Takes over memory that begins on an 8-byte boundary. Nobody else may use this buffer.
   *
   * @param address where the memory is
   * @param contextSize how many bytes each thread context has
   * @throws IllegalArgumentException if these are less than {@link OtelThreadRecord#LENGTH}
   */
  public RecordMemory(ByteBuffer memory, long address, int contextSize) {
    if (contextSize < OtelThreadRecord.LENGTH) {
      throw new IllegalArgumentException("thread context of " + contextSize + " bytes");
    }
    this.address = address;
    this.contextSize = contextSize;
    bytes = memory;
    ids = memory.order(ByteOrder.BIG_ENDIAN).asLongBuffer();
    words = memory.order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
  }

  /** Returns whether something at this address is in this memory. */
  public boolean contains(long address) {
    return address >= this.address && address - this.address < bytes.capacity();
  }

  /** Returns where in this memory something at this address is. */
  public int offsetOf(long address) {
    return (int) (address - this.address);
  }

  long address() {
    return address;
  }

  int contextSize() {
    return contextSize;
  }
}
