/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.processcontext;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/**
 * A message in the wire format of protocol buffers, to which fields are added in their order.
 * Fields with default values are written as well: within a {@code oneof}, they count.
 */
final class ProtobufMessage {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int LENGTH_DELIMITED = 2;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  void add(int field, ProtobufMessage value) {
    add(field, value.toBytes());
  }

  void add(int field, String value) {
    add(field, value.getBytes(UTF_8));
  }

  void add(int field, byte[] value) {
    tag(field, LENGTH_DELIMITED);
    varint(value.length);
    bytes.write(value, 0, value.length);
  }

  void add(int field, boolean value) {
    add(field, value ? 1 : 0);
  }

  void add(int field, long value) {
    tag(field, VARINT);
    varint(value);
  }

  void add(int field, double value) {
    tag(field, FIXED_64);
    long bits = Double.doubleToRawLongBits(value);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      bytes.write((int) (bits >>> shift));
    }
  }

  private void tag(int field, int wireType) {
    varint((long) field << 3 | wireType);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }
}
