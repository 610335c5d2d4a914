/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.fuzz;

import io.flamespan.correlation.internal.protocol.MessageDecoder;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Objects;

/** Each datagram is delivered as the reference decoder reads it, or is dropped and counted. */
public final class MessageDecoderTarget {
  private static final LastCall LAST_CALL = new LastCall();
  private static final MessageDecoder DECODER = new MessageDecoder(LAST_CALL);

  public static void fuzzerTestOneInput(byte[] datagram) {
    LAST_CALL.text = null;
    long dropped = DECODER.invalidMessages();
    // As in the worker, other bytes surround the datagram.
    ByteBuffer buffer = ByteBuffer.allocate(datagram.length + 9);
    buffer.position(3).put(datagram).flip().position(3);
    DECODER.decode(buffer);
    String expected = ReferenceDecoder.decode(datagram);
    boolean isInvalid = expected == null && datagram.length > 0;
    boolean counted = DECODER.invalidMessages() - dropped == (isInvalid ? 1 : 0);
    if (!Objects.equals(LAST_CALL.text, expected) || !counted) {
      throw new AssertionError(
          HexFormat.of().formatHex(datagram) + ": " + LAST_CALL.text + ", not " + expected);
    }
  }

  private MessageDecoderTarget() {}
}
