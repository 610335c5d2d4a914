/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;

/** Builds a message of the fields that it receives. */
record Built(Message.Builder message) implements Fields {

  @Override
  public Fields message(int field) {
    FieldDescriptor of = of(field);
    return new Built(
        of.isRepeated()
            ? message.getRepeatedFieldBuilder(of, add(of, message.newBuilderForField(of).build()))
            : message.getFieldBuilder(of));
  }

  @Override
  public void number(int field, long value) {
    FieldDescriptor of = of(field);
    add(
        of,
        switch (of.getJavaType()) {
          case INT -> (int) value;
          case LONG -> value;
          case DOUBLE -> Double.longBitsToDouble(value);
          case BOOLEAN -> value != 0;
          default -> constant(of, (int) value);
        });
  }

  private static EnumValueDescriptor constant(FieldDescriptor field, int number) {
    return field.getEnumType().findValueByNumberCreatingIfUnknown(number);
  }

  @Override
  public void text(int field, String value) {
    add(of(field), value);
  }

  @Override
  public void bytes(int field, byte[] value) {
    add(of(field), ByteString.copyFrom(value));
  }

  private FieldDescriptor of(int number) {
    return message.getDescriptorForType().findFieldByNumber(number);
  }

  private int add(FieldDescriptor field, Object value) {
    if (!field.isRepeated()) {
      message.setField(field, value);
      return 0;
    }
    message.addRepeatedField(field, value);
    return message.getRepeatedFieldCount(field) - 1;
  }
}
