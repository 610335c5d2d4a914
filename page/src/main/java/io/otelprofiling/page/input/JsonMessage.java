/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.input;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.WireFormat;
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
 * base64, too. Turns a message into its wire form in one pass, as a tree of its values would need
 * many times its size.
 */
final class JsonMessage {
  private static final JsonFactory JSON = new JsonFactory();
  private static final BigDecimal MOST = new BigDecimal(Long.toUnsignedString(-1));

  /** The fields of each type of messages by both of their names. */
  private static final Map<Descriptor, Map<String, FieldDescriptor>> FIELDS =
      new ConcurrentHashMap<>();

  private final JsonParser json;
  private final WireForm wire;
  private String unknownField = "";

  private JsonMessage(JsonParser json, int length) {
    this.json = json;
    this.wire = new WireForm(length / 2);
  }

  /**
   * A message as it was read.
   *
   * @param unknownField says which field was the first one left out, or is empty
   */
  record Read<T extends Message>(T message, String unknownField) {}

  static JsonParser parser(byte[] bytes) throws IOException {
    return JSON.createParser(bytes);
  }

  /**
   * Reads a message of this type.
   *
   * @throws IOException if it is not JSON in UTF-8, or has a value of another type
   */
  static <T extends Message> Read<T> read(byte[] bytes, T type) throws IOException {
    try (JsonParser json = parser(bytes)) {
      return new JsonMessage(json, bytes.length).read(type);
    }
  }

  @SuppressWarnings("unchecked") // a parser of a type returns messages of it
  private <T extends Message> Read<T> read(T type) throws IOException {
    expect(json.nextToken() == JsonToken.START_OBJECT, "an object");
    message(type.getDescriptorForType());
    return new Read<>((T) wire.parse(type.getParserForType()), unknownField);
  }

  private void message(Descriptor type) throws IOException {
    Map<String, FieldDescriptor> fields = FIELDS.get(type);
    if (fields == null) {
      fields = FIELDS.computeIfAbsent(type, JsonMessage::fields);
    }
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      FieldDescriptor field = fields.get(name);
      JsonToken value = json.nextToken();
      if (field == null) {
        json.skipChildren();
        if (unknownField.isEmpty()) {
          unknownField = "Cannot find field: " + name + " in message " + type.getFullName();
        }
      } else if (value != JsonToken.VALUE_NULL) {
        field(field);
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

  private void field(FieldDescriptor field) throws IOException {
    if (!field.isRepeated()) {
      wire.tag(field.getNumber(), field.getLiteType().getWireType());
      value(field);
      return;
    }
    expect(json.currentToken() == JsonToken.START_ARRAY, "an array");
    int start = 0;
    if (field.isPackable()) {
      wire.tag(field.getNumber(), WireFormat.WIRETYPE_LENGTH_DELIMITED);
      start = wire.beginLength();
    }
    while (json.nextToken() != JsonToken.END_ARRAY) {
      expect(json.currentToken() != JsonToken.VALUE_NULL, "a value");
      if (!field.isPackable()) {
        wire.tag(field.getNumber(), WireFormat.WIRETYPE_LENGTH_DELIMITED);
      }
      value(field);
    }
    if (field.isPackable()) {
      wire.endLength(start);
    }
  }

  private void value(FieldDescriptor field) throws IOException {
    switch (field.getType()) {
      case MESSAGE -> {
        expect(json.currentToken() == JsonToken.START_OBJECT, "an object");
        int start = wire.beginLength();
        message(field.getMessageType());
        wire.endLength(start);
      }
      case STRING -> wire.bytes(text().getBytes(StandardCharsets.UTF_8));
      case BYTES -> wire.bytes(bytes(field.getName().endsWith("_id")));
      case INT32 -> wire.varint(integer(Integer.MIN_VALUE, Integer.MAX_VALUE));
      case INT64 -> wire.varint(integer(Long.MIN_VALUE, Long.MAX_VALUE));
      case UINT32 -> wire.varint(integer(0, 0xffffffffL));
      case UINT64 -> wire.varint(unsigned());
      case FIXED32 -> wire.fixed32((int) integer(0, 0xffffffffL));
      case FIXED64 -> wire.fixed64(unsigned());
      case SFIXED64 -> wire.fixed64(integer(Long.MIN_VALUE, Long.MAX_VALUE));
      case DOUBLE -> wire.fixed64(Double.doubleToLongBits(Double.parseDouble(text())));
      case BOOL -> wire.varint(bool() ? 1 : 0);
      case ENUM -> wire.varint(constant(field));
      default -> throw new InvalidProtocolBufferException("No field has the type of " + field);
    }
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
