/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.processcontext;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.List;

/**
 * A message in the wire format of protocol buffers, to which fields are added in their order.
 * Fields with default values are written as well: within a {@code oneof}, they count.
 */
public final class ProtobufMessage {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FIXED_32 = 5;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Returns the fields so far. */
  public byte[] toBytes() {
    return bytes.toByteArray();
  }

  /** Adds a message within this one. */
  public void add(int field, ProtobufMessage value) {
    add(field, value.toBytes());
  }

  /** Adds a text. */
  public void add(int field, String value) {
    add(field, value.getBytes(UTF_8));
  }

  /** Adds bytes. */
  public void add(int field, byte[] value) {
    tag(field, LENGTH_DELIMITED);
    varint(value.length);
    bytes.write(value, 0, value.length);
  }

  void add(int field, boolean value) {
    add(field, value ? 1 : 0);
  }

  /** Adds an integer with a size that depends on its value. */
  public void add(int field, long value) {
    tag(field, VARINT);
    varint(value);
  }

  /** Adds integers with a size that depends on their values. */
  public void addAll(int field, List<? extends Number> values) {
    ProtobufMessage packed = new ProtobufMessage();
    values.forEach(value -> packed.varint(value.longValue()));
    add(field, packed);
  }

  void add(int field, double value) {
    addFixed(field, Double.doubleToRawLongBits(value));
  }

  /** Adds an integer of eight bytes. */
  public void addFixed(int field, long value) {
    tag(field, FIXED_64);
    fixed(value, Long.SIZE);
  }

  /** Adds integers of eight bytes. */
  public void addAllFixed(int field, List<Long> values) {
    ProtobufMessage packed = new ProtobufMessage();
    values.forEach(value -> packed.fixed(value, Long.SIZE));
    add(field, packed);
  }

  /** Adds an integer of four bytes. */
  public void addFixed32(int field, int value) {
    tag(field, FIXED_32);
    fixed(value, Integer.SIZE);
  }

  private void fixed(long value, int bits) {
    for (int shift = 0; shift < bits; shift += Byte.SIZE) {
      bytes.write((int) (value >>> shift));
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
