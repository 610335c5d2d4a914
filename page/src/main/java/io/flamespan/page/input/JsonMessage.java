/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads messages in OTLP's JSON form: protobuf's, but with ids in hexadecimal digits. Reads ids in
 * base64, too. Reads in one pass, as a tree of the values would need many times their size.
 */
final class JsonMessage {
  private static final JsonFactory JSON = new JsonFactory();
  private static final BigDecimal MOST = new BigDecimal(Long.toUnsignedString(-1));

  /** The fields of each type of messages by both of their names. */
  private static final Map<Descriptor, Map<String, FieldDescriptor>> FIELDS =
      new ConcurrentHashMap<>();

  private final JsonParser json;
  private final Descriptor whole;
  private final boolean lenient;
  private String leftOut = "";

  private JsonMessage(JsonParser json, Descriptor whole, boolean lenient) {
    this.json = json;
    this.whole = whole;
    this.lenient = lenient;
  }

  static JsonParser parser(byte[] bytes) throws IOException {
    return JSON.createParser(bytes);
  }

  /**
   * Reads a message of this type. Returns which field was the first one left out, or the empty
   * string.
   *
   * @throws IOException if it is not JSON in UTF-8, or has a value of another type
   */
  static String read(byte[] bytes, Descriptor type, Fields fields) throws IOException {
    return read(bytes, type, fields, false);
  }

  /**
   * The same of a message with values of another type, or out of their range: each costs itself
   * only. What has no use is not read.
   *
   * @throws IOException if it is not JSON in UTF-8
   */
  static String readLeniently(byte[] bytes, Descriptor type, Fields fields) throws IOException {
    return read(bytes, type, fields, true);
  }

  private static String read(byte[] bytes, Descriptor type, Fields fields, boolean lenient)
      throws IOException {
    try (JsonParser json = parser(bytes)) {
      JsonMessage message = new JsonMessage(json, type, lenient);
      message.expect(json.nextToken() == JsonToken.START_OBJECT, "an object");
      message.message(type, fields);
      return message.leftOut;
    }
  }

  private void message(Descriptor type, Fields fields) throws IOException {
    Map<String, FieldDescriptor> known = FIELDS.get(type);
    if (known == null) {
      known = FIELDS.computeIfAbsent(type, JsonMessage::fields);
    }
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      FieldDescriptor field = known.get(name);
      JsonToken value = json.nextToken();
      if (field == null) {
        json.skipChildren();
        tell("Cannot find field: " + name + " in message " + type.getFullName());
      } else if (value != JsonToken.VALUE_NULL) {
        field(field, fields);
      }
    }
    expect(json.currentToken() == JsonToken.END_OBJECT, "the end of an object");
  }

  private static Map<String, FieldDescriptor> fields(Descriptor type) {
    Map<String, FieldDescriptor> fields = new HashMap<>();
    for (FieldDescriptor field : type.getFields()) {
      fields.put(field.getName(), field);
      fields.put(field.getJsonName(), field);
    }
    return fields;
  }

  private void field(FieldDescriptor field, Fields fields) throws IOException {
    if (!field.isRepeated()) {
      value(field, fields);
      return;
    }
    boolean below = field.getContainingType() != whole;
    if (lenient && below && json.currentToken() != JsonToken.START_ARRAY) {
      leaveOut(field);
      return;
    }
    expect(json.currentToken() == JsonToken.START_ARRAY, "an array");
    while (json.nextToken() != JsonToken.END_ARRAY) {
      expect(lenient || json.currentToken() != JsonToken.VALUE_NULL, "a value");
      value(field, fields);
    }
  }

  private void value(FieldDescriptor field, Fields fields) throws IOException {
    int number = field.getNumber();
    if (field.getType() != FieldDescriptor.Type.MESSAGE) {
      scalar(field, fields);
      return;
    }
    Fields below = fields.message(number);
    boolean isObject = json.currentToken() == JsonToken.START_OBJECT;
    if (lenient && (below == Fields.LEFT_OUT || !isObject)) {
      leaveOut(field);
      return;
    }
    expect(isObject, "an object");
    message(field.getMessageType(), below);
  }

  private void scalar(FieldDescriptor field, Fields fields) throws IOException {
    try {
      deliver(field, fields);
    } catch (InvalidProtocolBufferException
        | InputCoercionException
        | IllegalArgumentException
        | ArithmeticException e) {
      if (!lenient) {
        throw e;
      }
      leaveOut(field);
      fields.invalid(field.getNumber());
    }
  }

  private void leaveOut(FieldDescriptor field) throws IOException {
    tell("The value of " + field.getFullName() + " is none of its type.");
    json.skipChildren();
  }

  /** Keeps the first one. */
  private void tell(String problem) {
    leftOut = leftOut.isEmpty() ? problem : leftOut;
  }

  @SuppressWarnings("UnnecessaryLongToIntConversion") // a number of 32 bits
  private void deliver(FieldDescriptor field, Fields fields) throws IOException {
    int number = field.getNumber();
    switch (field.getType()) {
      case STRING -> fields.text(number, wellFormed(text()));
      case BYTES -> fields.bytes(number, bytes(field.getName().endsWith("_id")));
      case INT32 -> fields.number(number, integer(Integer.MIN_VALUE, Integer.MAX_VALUE));
      case INT64, SFIXED64 -> fields.number(number, integer(Long.MIN_VALUE, Long.MAX_VALUE));
      case UINT32, FIXED32 -> fields.number(number, (int) integer(0, 0xffffffffL));
      case UINT64, FIXED64 -> fields.number(number, unsigned());
      case DOUBLE -> fields.number(number, Double.doubleToLongBits(Double.parseDouble(text())));
      case BOOL -> fields.number(number, bool() ? 1 : 0);
      case ENUM -> fields.number(number, constant(field));
      default -> throw new InvalidProtocolBufferException("No field has the type of " + field);
    }
  }

  /** Replaces halves of characters, which UTF-8 cannot express. */
  private static String wellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
      }
    }
    return text;
  }

  private byte[] bytes(boolean isId) throws IOException {
    String text = text();
    if (isId && (text.length() == 2 * Long.BYTES || text.length() == 4 * Long.BYTES)) {
      try {
        return HexFormat.of().parseHex(text);
      } catch (IllegalArgumentException e) {
        // It is base64.
      }
    }
    boolean forAddresses = text.indexOf('-') >= 0 || text.indexOf('_') >= 0;
    return (forAddresses ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(text);
  }

  private long integer(long least, long most) throws IOException {
    long value =
        json.currentToken() == JsonToken.VALUE_NUMBER_INT ? json.getLongValue() : integer(text());
    expect(value >= least && value <= most, "a number in its range");
    return value;
  }

  /** Most numbers of 64 bits are strings of digits. */
  private static long integer(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return new BigDecimal(text).longValueExact(); // such as 1e3
    }
  }

  private long unsigned() throws IOException {
    String text = text();
    try {
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      // A tiny number, such as 1e-999999999, would take forever as an integer.
      BigDecimal value = new BigDecimal(text).stripTrailingZeros();
      boolean isInteger = value.signum() == 0 || value.scale() <= 0;
      expect(
          isInteger && value.signum() >= 0 && value.compareTo(MOST) <= 0, "a number in its range");
      return value.toBigIntegerExact().longValue();
    }
  }

  private boolean bool() throws IOException {
    String word = text();
    expect(word.equals("true") || word.equals("false"), "true or false");
    return word.equals("true");
  }

  private int constant(FieldDescriptor field) throws IOException {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      return (int) integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
    EnumValueDescriptor value = field.getEnumType().findValueByName(text());
    expect(value != null, "a constant of " + field.getEnumType().getFullName());
    return value.getNumber();
  }

  private String text() throws IOException {
    expect(json.currentToken().isScalarValue(), "one value");
    return json.getText();
  }

  private void expect(boolean found, String what) throws IOException {
    if (!found) {
      throw new InvalidProtocolBufferException("Expected " + what + " for " + json.currentName());
    }
  }
}
