/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;

/** Memory of this process, which it reads like that of another one. */
final class OwnMemory {
  static final int SIZE = 1 << 17;

  private final ByteBuffer bytes = ByteBuffer.allocateDirect(SIZE);
  private final long address = addressOf(bytes);
  final ProcessMemory reader;

  OwnMemory() {
    try {
      reader = new ProcessMemory(TargetProcess.self());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the address of a direct buffer; java.base must be open to this class. */
  private static long addressOf(ByteBuffer buffer) {
    try {
      Field address = Buffer.class.getDeclaredField("address");
      address.setAccessible(true);
      return address.getLong(buffer);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  long address() {
    return address;
  }

  /** Writes the bytes at the beginning, followed by zeros. */
  void write(byte[] content) {
    bytes.clear();
    bytes.put(content).put(new byte[Math.min(8192, SIZE - content.length)]);
  }
}
