/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the complete chunks in the bytes of a recording. A full disk leaves gaps in it, even in
 * headers, of which later parts may be there.
 */
final class Chunks {
  private static final int HEADER = 68;
  private static final int SIZE = 8;
  private static final int CONSTANT_POOL = 16;
  private static final long SIGNATURE = 0x464c520000020000L; // FLR, version 2.0

  /** The complete chunks. */
  final List<Chunk> found = new ArrayList<>();

  /** Chunks, and gaps between them, that cannot be understood. */
  int damaged;

  /** The length of what need not be read again. */
  int length;

  Chunks(ByteBuffer bytes) {
    while (bytes.limit() - length >= HEADER) {
      long size = bytes.getLong(length + SIZE);
      boolean isChunk = bytes.getLong(length) == SIGNATURE;
      if (isChunk && bytes.getLong(length + CONSTANT_POOL) == 0) {
        return; // async-profiler is still writing it
      }
      if (size < HEADER || size > bytes.limit() - length) {
        damaged++;
        if (!findNext(bytes)) {
          return;
        }
      } else {
        if (!isChunk || !add(bytes, (int) size)) {
          damaged++;
        }
        length += (int) size;
      }
    }
  }

  private boolean add(ByteBuffer bytes, int size) {
    ByteBuffer chunk = bytes.duplicate();
    chunk.limit(length + size);
    chunk.position(length);
    try {
      if (!hasWholeEvents(chunk.slice())) {
        return false;
      }
      found.add(new Chunk(chunk.slice()));
      return true;
    } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
      return false; // the parser does not expect damage
    }
  }

  /** Returns whether the events follow one another up to the end, as they do not with a gap. */
  private static boolean hasWholeEvents(ByteBuffer chunk) {
    int position = HEADER;
    while (position < chunk.limit()) {
      chunk.position(position);
      int size = 0;
      int shift = 0;
      byte next;
      do {
        next = chunk.get();
        size |= (next & 0x7f) << shift;
        shift += 7;
      } while (next < 0);
      if (size <= 0 || size > chunk.limit() - position) {
        return false;
      }
      position += size;
    }
    return true;
  }

  private boolean findNext(ByteBuffer bytes) {
    while (bytes.limit() - ++length >= Long.BYTES) {
      if (bytes.getLong(length) == SIGNATURE) {
        return true;
      }
    }
    return false;
  }
}
