/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The protocol's {@code utf8-str}: a uint32 length in native endianness, then that many bytes of
 * UTF-8 without a terminating zero.
 */
public final class Utf8Str {
  /**
   * Encodes a string. A longer one is cut at the last character boundary within {@code maxBytes}.
   */
  public static byte[] encode(String value, int maxBytes) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= maxBytes) {
      return bytes;
    }
    int end = maxBytes;
    while (end > 0 && isContinuation(bytes[end])) {
      end--;
    }
    return Arrays.copyOf(bytes, end);
  }

  /** Writes the length and the bytes at the buffer's position. */
  public static void put(ByteBuffer target, byte[] utf8) {
    target.putInt(utf8.length).put(utf8);
  }

  /**
   * Reads a string at the buffer's position and advances the position past it. Returns null if the
   * bytes are not UTF-8 or, without allocating anything, if the buffer ends before the string does.
   */
  public static @Nullable String get(ByteBuffer source) {
    if (source.remaining() < Integer.BYTES) {
      return null;
    }
    long length = source.getInt() & 0xffffffffL;
    if (length > source.remaining()) {
      return null;
    }
    byte[] bytes = new byte[(int) length];
    source.get(bytes);
    String value = new String(bytes, StandardCharsets.UTF_8);
    // Wrong bytes have become replacement characters, whose bytes differ.
    return Arrays.equals(value.getBytes(StandardCharsets.UTF_8), bytes) ? value : null;
  }

  private static boolean isContinuation(byte b) {
    return (b & 0xc0) == 0x80;
  }

  private Utf8Str() {}
}
