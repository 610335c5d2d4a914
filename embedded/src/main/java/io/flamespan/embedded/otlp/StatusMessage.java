/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads why a server of OTLP/HTTP refuses a message: its answer is a {@code google.rpc.Status} by
 * the <a href="https://opentelemetry.io/docs/specs/otlp/#failures">specification</a>.
 */
final class StatusMessage {
  private static final int CODE = 1 << 3;
  private static final int MESSAGE = 2 << 3 | 2;

  private StatusMessage() {}

  /** Returns the text, or nothing if the answer has none or is of another type. */
  static String of(byte[] answer) {
    ByteBuffer rest = ByteBuffer.wrap(answer);
    try {
      long key = varint(rest);
      if (key == CODE) {
        long unused = varint(rest);
        key = varint(rest);
      }
      if (key == MESSAGE) {
        byte[] text = new byte[(int) Math.min(varint(rest), rest.remaining())];
        rest.get(text);
        return new String(text, StandardCharsets.UTF_8);
      }
    } catch (BufferUnderflowException e) {
      // The answer is empty or cut off.
    }
    return "";
  }

  private static long varint(ByteBuffer bytes) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = bytes.get();
      value |= (next & 0x7FL) << shift;
      if (next >= 0 || shift == 63) {
        return value & Long.MAX_VALUE;
      }
    }
  }
}
