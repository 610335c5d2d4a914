/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Fields;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A KeyValue, or a KeyValueAndUnit, which has the same fields. */
final class Attribute implements Fields {
  private String key = "";
  private int keyIndex;
  private final Value value = new Value();

  private static final class Value implements Fields {
    private String text = "";
    private double number = Double.NaN;
    private boolean isNumber; // also NaN
    private long whole; // if the number is one
    private boolean isWhole;
    private byte @Nullable [] bytes;
    private boolean isArrayOrMap;
    private @Nullable Elements elements;

    @Override
    public Fields message(int field) {
      text = "";
      number = Double.NaN;
      isNumber = false;
      bytes = null;
      isArrayOrMap = true;
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
      isNumber = false;
      bytes = null;
      isArrayOrMap = false;
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
        isNumber = true;
      } else if (field == AnyValue.INT_VALUE_FIELD_NUMBER) {
        number = one;
        whole = one;
        isWhole = true;
        isNumber = true;
      }
    }

    @Override
    public void bytes(int field, byte[] one) {
      text(field, "");
      bytes = one;
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

  boolean isArrayOrMap() {
    return value.isArrayOrMap;
  }

  /**
   * A text, true or false, a number, or bytes, as the exporter for ClickHouse writes it; empty of
   * all others.
   */
  String asText() {
    if (value.bytes != null) {
      return Base64.getEncoder().encodeToString(value.bytes);
    }
    if (!value.isNumber) {
      return value.text;
    }
    return value.isWhole ? Long.toString(value.whole) : text(value.number);
  }

  /** The shortest digits of a number, as ECMAScript writes them. */
  private static String text(double number) {
    if (!Double.isFinite(number)) {
      return Double.toString(number);
    }
    if (number == 0) {
      return 1 / number < 0 ? "-0" : "0";
    }
    BigDecimal decimal = shortest(number);
    double size = Math.abs(number);
    if (size >= 1e-6 && size < 1e21) {
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

  /** As Double.toString, which may have more digits before Java 19. */
  private static BigDecimal shortest(double number) {
    BigDecimal exact = new BigDecimal(number);
    BigDecimal shortest = new BigDecimal(Double.toString(number));
    for (int digits = shortest.precision(); digits > 0; digits--) {
      BigDecimal rounded = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      if (rounded.doubleValue() != number) { // of a power of two, the numbers below are closer
        rounded = exact.round(new MathContext(digits, RoundingMode.UP));
      }
      if (rounded.doubleValue() != number) {
        break;
      }
      shortest = rounded;
    }
    return shortest.stripTrailingZeros();
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
