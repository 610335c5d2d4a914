/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Fields;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** A KeyValue, or a KeyValueAndUnit, which has the same fields. */
final class Attribute implements Fields {
  private String key = "";
  private int keyIndex;
  private final Value value = new Value();

  private static final class Value implements Fields {
    private String text = "";
    private double number = Double.NaN;
    private long whole; // if the number is one
    private boolean isWhole;
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
        isWhole = false;
      } else if (field == AnyValue.INT_VALUE_FIELD_NUMBER) {
        number = one;
        whole = one;
        isWhole = true;
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

  /**
   * A text, true or false, or a number, as the exporter for ClickHouse writes it; empty of all
   * others.
   */
  String asText() {
    if (!value.text.isEmpty() || Double.isNaN(value.number)) {
      return value.text;
    }
    return value.isWhole ? Long.toString(value.whole) : text(value.number);
  }

  /** The shortest digits of a number, as ECMAScript writes them. */
  private static String text(double number) {
    if (Double.isInfinite(number)) {
      return "";
    }
    BigDecimal decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    double size = Math.abs(number);
    if (size == 0 || (size >= 1e-6 && size < 1e21)) {
      return decimal.toPlainString();
    }
    String digits = decimal.unscaledValue().abs().toString();
    int exponent = digits.length() - 1 - decimal.scale();
    return (number < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + (exponent < 0 ? "e" : "e+")
        + exponent;
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
