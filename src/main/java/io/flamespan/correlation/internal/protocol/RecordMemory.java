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
 * Native memory that contains, for one thread or for many, an {@link ElasticThreadRecord} followed
 * by two {@link OtelThreadRecord}s. Threads share the views of it, because there may be many
 * virtual threads.
 */
public final class RecordMemory {
  final ByteBuffer bytes;
  final LongBuffer ids;
  final IntBuffer words;
  private final long address;
  private final int contextSize;

  /**
   * Takes over memory that begins on an 8-byte boundary. Nothing else may use this buffer.
   *
   * @param address the address of the memory
   * @param contextSize the size of each thread context in bytes
   * @throws IllegalArgumentException if that is less than {@link OtelThreadRecord#LENGTH}
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

  /** Returns whether this memory contains the address. */
  public boolean contains(long address) {
    return address >= this.address && address - this.address < bytes.capacity();
  }

  /** Returns the offset of the address in this memory. */
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
