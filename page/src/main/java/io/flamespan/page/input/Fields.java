/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

/**
 * Receives the fields of a message in their order, whatever form it has. Leaves out those for which
 * a method is not overridden.
 */
public interface Fields {
  /** Receives a message and leaves all of it out. */
  Fields LEFT_OUT = new Fields() {};

  /** Returns what receives the message in this field, which begins. */
  default Fields message(int field) {
    return LEFT_OUT;
  }

  /** Receives one number, also of a field that has several. Signed, as protobuf's Java classes. */
  default void number(int field, long value) {}

  default void text(int field, String value) {}

  default void bytes(int field, byte[] value) {}

  /** Learns of a field of protobuf that is not in the schema, or in another form. */
  default void unknown() {}

  /** Learns of a field of the schema in a form that no writer of this version uses. */
  default void otherForm(int field) {}

  /** Learns of a number in JSON that is none, or not in its range. */
  default void invalid(int field) {}
}
