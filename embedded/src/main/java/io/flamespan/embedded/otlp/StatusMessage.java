/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads what a server says of a message, by the specification of OTLP: a {@code google.rpc.Status}
 * of <a href="https://opentelemetry.io/docs/specs/otlp/#failures">failures</a> by HTTP, or a <a
 * href="https://opentelemetry.io/docs/specs/otlp/#partial-success">partial success</a>. Both have a
 * number and a text.
 */
final class StatusMessage {
  private static final int NUMBER = 1 << 3;
  private static final int TEXT = 2 << 3 | 2;
  private static final int PARTIAL_SUCCESS = 1 << 3 | 2;

  private final long number;
  private final String text;

  private StatusMessage(ByteBuffer rest) {
    long key = varint(rest);
    number = key == NUMBER ? varint(rest) : 0;
    key = key == NUMBER ? varint(rest) : key;
    text = key == TEXT ? new String(bytes(rest), StandardCharsets.UTF_8) : "";
  }

  /** Returns why a message was refused, or nothing if the answer does not say it. */
  static String ofFailure(byte[] answer) {
    return Client.printable(new StatusMessage(ByteBuffer.wrap(answer)).text);
  }

  /** Returns what was rejected of a message that was taken, and why, or nothing if all is well. */
  static String ofSuccess(byte[] answer) {
    ByteBuffer rest = ByteBuffer.wrap(answer);
    if (varint(rest) != PARTIAL_SUCCESS) {
      return "";
    }
    StatusMessage partial = new StatusMessage(ByteBuffer.wrap(bytes(rest)));
    String reason = partial.text.isEmpty() ? "" : ": " + Client.printable(partial.text);
    return partial.number == 0 && reason.isEmpty()
        ? ""
        : "the server rejected " + partial.number + reason;
  }

  private static byte[] bytes(ByteBuffer rest) {
    byte[] bytes = new byte[(int) Math.min(varint(rest), rest.remaining())];
    rest.get(bytes);
    return bytes;
  }

  /** Returns a number, which ends where the answer is cut off. */
  private static long varint(ByteBuffer rest) {
    long value = 0;
    for (int shift = 0; shift <= 63 && rest.hasRemaining(); shift += 7) {
      byte next = rest.get();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        break;
      }
    }
    return value & Long.MAX_VALUE;
  }
}
