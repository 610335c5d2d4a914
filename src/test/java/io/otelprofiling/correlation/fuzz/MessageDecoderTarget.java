/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.fuzz;

import io.otelprofiling.correlation.internal.protocol.MessageDecoder;
import io.otelprofiling.correlation.testing.RecordingHandler;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Each datagram is delivered as the reference decoder reads it, or is dropped and counted. */
public final class MessageDecoderTarget {
  private static final RecordingHandler HANDLER = new RecordingHandler();
  private static final MessageDecoder DECODER = new MessageDecoder(HANDLER);
  private static final int SIZE = 1 << 17;
  private static final ByteBuffer[] BUFFERS = {
    ByteBuffer.allocate(SIZE), ByteBuffer.allocateDirect(SIZE)
  };

  public static void fuzzerTestOneInput(byte[] datagram) {
    int choice = Math.floorMod(Arrays.hashCode(datagram), 6);
    int position = choice / 2;
    if (position + datagram.length > SIZE) {
      return;
    }
    HANDLER.calls.clear();
    long dropped = DECODER.invalidMessages();
    // As in the worker, the buffer still contains bytes of earlier datagrams around this one.
    ByteBuffer buffer = BUFFERS[choice % 2];
    buffer.clear().position(position);
    buffer.put(datagram).flip().position(position);
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
