/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the thread pointers of a process without stopping its threads, which reading their
 * registers would require. The C library keeps a descriptor at the end of each thread's stack. It
 * contains the thread id, followed by the list of robust mutexes that the kernel knows. A JVM does
 * not use such mutexes, so the list is empty: two pointers to the second of these pointers.
 *
 * <p>The C library is glibc. The thread pointer is the start of the descriptor on x86-64, and its
 * end on arm64.
 */
public final class ThreadPointers {
  private static final int WINDOW = 1 << 16; // enough for the descriptor and static TLS at the end
  private static final int TID_OFFSET_X64 = 0x2d0;
  private static final int TID_OFFSET_ARM64 = 0xd0;
  private static final int LIST_BEFORE_TID = 16;

  private final ProcessMemory memory;
  private final Set<Integer> threads;
  private final int descriptorSize;

  /** The thread pointers by thread id. */
  public final Map<Integer, Long> found = new LinkedHashMap<>();

  /**
   * @param threads the thread ids in the PID namespace of the process
   * @param descriptorSize the size of the C library's thread descriptor, or 0 on x86-64
   */
  public ThreadPointers(
      ProcessMemory memory, List<Mapping> mappings, Set<Integer> threads, int descriptorSize) {
    this.memory = memory;
    this.threads = threads;
    this.descriptorSize = descriptorSize;
    mappings.stream()
        .filter(mapping -> mapping.isMemory() && found.size() < threads.size())
        .forEach(this::search);
  }

  private void search(Mapping mapping) {
    long from = Math.max(mapping.start, mapping.end - WINDOW);
    try {
      LongBuffer words = memory.read(from, (int) (mapping.end - from)).asLongBuffer();
      for (int i = 0; i + 2 < words.limit(); i++) {
        long tidAddress = from + (long) i * Long.BYTES;
        if (words.get(i + 2) == tidAddress + 16 && words.get(i + 1) == tidAddress + 16) {
          follow(tidAddress);
        }
      }
    } catch (IOException e) {
      // The thread has ended, or the page was never written.
    }
  }

  /** Adds this thread and all threads in the same list of the C library. */
  private void follow(long tidAddress) throws IOException {
    for (long next = tidAddress; take(next); ) {
      next = memory.word(next - LIST_BEFORE_TID) + LIST_BEFORE_TID;
    }
  }

  /** Adds a thread. Returns false if it is already known, or if this is not a descriptor. */
  private boolean take(long tidAddress) throws IOException {
    ByteBuffer descriptor = memory.read(tidAddress, 3 * Long.BYTES);
    int tid = descriptor.getInt(0);
    if (descriptor.getLong(8) != tidAddress + 16 || !threads.contains(tid)) {
      return false;
    }
    long pointer =
        descriptorSize != 0
            ? tidAddress - TID_OFFSET_ARM64 + descriptorSize
            : tidAddress - TID_OFFSET_X64;
    return (descriptorSize != 0 || memory.word(pointer) == pointer)
        && found.put(tid, pointer) == null;
  }
}
