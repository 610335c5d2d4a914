/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Fields;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import org.jspecify.annotations.Nullable;

/** A KeyValue, or a KeyValueAndUnit, which has the same fields. */
final class Attribute implements Fields {
  private String key = "";
  private int keyIndex;
  private final Value value = new Value();

  private static final class Value implements Fields {
    private String text = "";
    private double number = Double.NaN;
    private @Nullable Elements elements;

    @Override
    public Fields message(int field) {
      text = "";
      number = Double.NaN;
      if (field != AnyValue.ARRAY_VALUE_FIELD_NUMBER) {
        elements = null;
        return LEFT_OUT;
      }
      elements = elements == null ? new Elements() : elements;
      return elements;
    }

    @Override
    public void text(int field, String one) {
      text = one;
      number = Double.NaN;
      elements = null;
    }

    @Override
    public void number(int field, long one) {
      text(field, "");
      if (field == AnyValue.BOOL_VALUE_FIELD_NUMBER) {
        text = Boolean.toString(one != 0);
      } else if (field == AnyValue.DOUBLE_VALUE_FIELD_NUMBER) {
        number = Double.longBitsToDouble(one);
      } else if (field == AnyValue.INT_VALUE_FIELD_NUMBER) {
        number = one;
      }
    }

    @Override
    public void bytes(int field, byte[] one) {
      text(field, "");
    }
  }

  private static final class Elements implements Fields {
    private int count;

    @Override
    public Fields message(int field) {
      count++;
      return LEFT_OUT;
    }
  }

  @Override
  public Fields message(int field) {
    return field == KeyValue.VALUE_FIELD_NUMBER ? value : LEFT_OUT;
  }

  @Override
  public void text(int field, String one) {
    key = field == KeyValue.KEY_FIELD_NUMBER ? one : key;
  }

  @Override
  public void number(int field, long one) {
    keyIndex = field == KeyValue.KEY_FIELD_NUMBER ? (int) one : keyIndex;
  }

  String key() {
    return key;
  }

  /** The key of a KeyValueAndUnit, in the table of strings. */
  int keyIndex() {
    return keyIndex;
  }

  /** Empty if the value is neither a text nor true or false. */
  String text() {
    return value.text;
  }

  /** Makes it share its texts with others. */
  void share(String sameKey, String sameText) {
    key = sameKey;
    value.text = value.text.isEmpty() ? "" : sameText;
  }

  /** NaN if the value is no number. */
  double number() {
    return value.number;
  }

  /** The number of the value's elements, 0 if it is no array. */
  int elements() {
    return value.elements == null ? 0 : value.elements.count;
  }
}
