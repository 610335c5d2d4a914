/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.processcontext;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.KeyValue;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.common.ValueType;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Encodes attributes as OTLP does. The exporter's encoder would do the same, but is internal, and
 * loading it takes a megabyte of memory.
 *
 * <p>Source: opentelemetry-proto, common.proto.
 */
public final class ProtobufAttributes {
  private static final int KEY = 1;
  private static final int VALUE = 2;
  private static final int STRING_VALUE = 1;
  private static final int BOOL_VALUE = 2;
  private static final int INT_VALUE = 3;
  private static final int DOUBLE_VALUE = 4;
  private static final int ARRAY_VALUE = 5;
  private static final int KVLIST_VALUE = 6;
  private static final int BYTES_VALUE = 7;
  private static final int VALUES = 1; // of an array, or of a list of keys and values

  private ProtobufAttributes() {}

  /** Adds each attribute to a repeated field of {@code KeyValue}. */
  public static void add(ProtobufMessage message, int field, Attributes attributes) {
    attributes.forEach((key, value) -> message.add(field, keyValue(key.getKey(), value)));
  }

  private static ProtobufMessage keyValue(String key, Object value) {
    ProtobufMessage message = new ProtobufMessage();
    message.add(KEY, key);
    message.add(VALUE, anyValue(value));
    return message;
  }

  /** Encodes a value of an attribute, or a part of one. */
  private static ProtobufMessage anyValue(Object value) {
    ProtobufMessage message = new ProtobufMessage();
    if (value instanceof Value) {
      Value<?> complex = (Value<?>) value;
      if (complex.getType() != ValueType.KEY_VALUE_LIST) {
        return anyValue(complex.getValue());
      }
      message.add(KVLIST_VALUE, pairs((List<?>) complex.getValue()));
    } else if (value instanceof String) {
      message.add(STRING_VALUE, (String) value);
    } else if (value instanceof Boolean) {
      message.add(BOOL_VALUE, (Boolean) value);
    } else if (value instanceof Long) {
      message.add(INT_VALUE, (Long) value);
    } else if (value instanceof Double) {
      message.add(DOUBLE_VALUE, (Double) value);
    } else if (value instanceof ByteBuffer) {
      ByteBuffer buffer = (ByteBuffer) value;
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      message.add(BYTES_VALUE, bytes);
    } else if (value instanceof List) {
      ProtobufMessage array = new ProtobufMessage();
      for (Object each : (List<?>) value) {
        array.add(VALUES, anyValue(each));
      }
      message.add(ARRAY_VALUE, array);
    }
    return message; // without a field if the value is empty
  }

  private static ProtobufMessage pairs(List<?> list) {
    ProtobufMessage pairs = new ProtobufMessage();
    for (Object each : list) {
      KeyValue pair = (KeyValue) each;
      pairs.add(VALUES, keyValue(pair.getKey(), pair.getValue()));
    }
    return pairs;
  }
}
