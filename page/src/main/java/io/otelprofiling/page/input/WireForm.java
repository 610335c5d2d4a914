/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.input;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes protobuf's wire form. Unlike {@link com.google.protobuf.CodedOutputStream}, it does not
 * need to know the length of a message before its fields.
 */
final class WireForm {
  private static final int LENGTH_BYTES = 5;

  private ByteBuffer out;

  WireForm(int expectedSize) {
    out = ByteBuffer.allocate(Math.max(64, expectedSize)).order(ByteOrder.LITTLE_ENDIAN);
  }

  <T> T parse(Parser<T> parser) throws InvalidProtocolBufferException {
    return parser.parseFrom(out.array(), 0, out.position());
  }

  void tag(int field, int wireType) {
    varint(field << 3 | wireType);
  }

  void varint(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.put((byte) rest);
  }

  void fixed32(int value) {
    room(Integer.BYTES);
    out.putInt(value);
  }

  void fixed64(long value) {
    room(Long.BYTES);
    out.putLong(value);
  }

  void bytes(byte[] bytes) {
    varint(bytes.length);
    room(bytes.length);
    out.put(bytes);
  }

  /** Leaves room for a length that is not known yet. Returns where it ends. */
  int beginLength() {
    room(LENGTH_BYTES);
    out.position(out.position() + LENGTH_BYTES);
    return out.position();
  }

  /** Writes the length in all of its room, which the wire form allows. */
  void endLength(int start) {
    int rest = out.position() - start;
    for (int place = start - LENGTH_BYTES; place < start - 1; place++) {
      out.put(place, (byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.put(start - 1, (byte) rest);
  }

  private void room(int more) {
    if (out.remaining() < more) {
      byte[] larger = Arrays.copyOf(out.array(), 2 * out.capacity() + more);
      int size = out.position();
      out = ByteBuffer.wrap(larger).order(ByteOrder.LITTLE_ENDIAN).position(size);
    }
  }
}
