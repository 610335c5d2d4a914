/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A profiler's messages, built from the protocol document. */
public final class Datagrams {
  public static byte[] registration(int minor, int delayMillis, String hostId, int extraBytes) {
    byte[] utf8 = hostId.getBytes(UTF_8);
    return withHeader(12 + utf8.length + extraBytes, 2, minor)
        .putInt(4, delayMillis)
        .putInt(8, utf8.length)
        .position(12)
        .put(utf8)
        .array();
  }

  public static byte[] registration(int delayMillis, String hostId) {
    return registration(1, delayMillis, hostId, 0);
  }

  /** Returns a message with trace id 01…10, transaction id 21…28 and stack trace id 31…40. */
  public static byte[] correlation(int minor, int count, int extraBytes) {
    ByteBuffer message = withHeader(46 + extraBytes, 1, minor);
    for (int i = 0; i < 16; i++) {
      message.put(4 + i, (byte) (0x01 + i));
      message.put(28 + i, (byte) (0x31 + i));
    }
    for (int i = 0; i < 8; i++) {
      message.put(20 + i, (byte) (0x21 + i));
    }
    return message.putShort(44, (short) count).array();
  }

  public static byte[] correlation(int count) {
    return correlation(1, count, 0);
  }

  public static byte[] unknown(int type, int length) {
    return withHeader(length, type, 1).array();
  }

  public static byte[] cut(byte[] message, int length) {
    return Arrays.copyOf(message, length);
  }

  private static ByteBuffer withHeader(int length, int type, int minor) {
    return ByteBuffer.allocate(length)
        .order(ByteOrder.nativeOrder())
        .putShort(0, (short) type)
        .putShort(2, (short) minor);
  }

  private Datagrams() {}
}
