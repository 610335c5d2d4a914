/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.fuzz;

import io.otelprofiling.correlation.internal.protocol.MessageDecoder;
import io.otelprofiling.correlation.testing.RecordingHandler;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;

/** Each datagram is delivered as the reference decoder reads it, or is dropped and counted. */
public final class MessageDecoderTarget {
  private static final RecordingHandler HANDLER = new RecordingHandler();
  private static final MessageDecoder DECODER = new MessageDecoder(HANDLER);

  public static void fuzzerTestOneInput(byte[] datagram) {
    HANDLER.calls.clear();
    long dropped = DECODER.invalidMessages();
    // As in the worker, other bytes surround the datagram.
    ByteBuffer buffer = ByteBuffer.allocate(datagram.length + 9);
    buffer.position(3).put(datagram).flip().position(3);
    DECODER.decode(buffer);
    List<String> expected = ReferenceDecoder.decode(datagram);
    boolean isInvalid = expected.isEmpty() && datagram.length > 0;
    boolean counted = DECODER.invalidMessages() - dropped == (isInvalid ? 1 : 0);
    if (!HANDLER.calls.equals(expected) || !counted) {
      throw new AssertionError(
          HexFormat.of().formatHex(datagram) + ": " + HANDLER.calls + ", not " + expected);
    }
  }

  private MessageDecoderTarget() {}
}
