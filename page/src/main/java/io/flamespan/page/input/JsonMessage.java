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
import org.jspecify.annotations.Nullable;

/**
 * Reads messages in OTLP's JSON form: protobuf's, but with ids in hexadecimal digits. Reads ids in
 * base64, too. Reads in one pass, as a tree of the values would need many times their size.
 */
final class JsonMessage {
  private static final JsonFactory JSON = new JsonFactory();
  private static final BigDecimal MOST = new BigDecimal(Long.toUnsignedString(-1));

  /** The fields of each type of messages by both of their names. */
  private static final Map<Descriptor, Map<String, Field>> FIELDS = new ConcurrentHashMap<>();

  /** Passes on the value that the parser is at. */
  @FunctionalInterface
  private interface Value {
    void pass(JsonMessage json, Fields fields) throws IOException;
  }

  /**
   * A field.
   *
   * @param value passes on one of its values
   */
  private record Field(
      FieldDescriptor descriptor, boolean isRepeated, boolean isMessage, Value value) {
    static Field of(FieldDescriptor field) {
      boolean isMessage = field.getType() == FieldDescriptor.Type.MESSAGE;
      return new Field(
          field,
          field.isRepeated(),
          isMessage,
          isMessage ? (json, fields) -> json.message(field, fields) : scalar(field));
    }
  }

  /** A message of which not all fields were read. */
  private static final class Open {
    final Descriptor type;
    final Map<String, Field> known;
    final Fields fields;
    final @Nullable Open outer;
    @Nullable Field field; // whose value follows
    boolean inList;

    Open(Descriptor type, Map<String, Field> known, Fields fields, @Nullable Open outer) {
      this.type = type;
      this.known = known;
      this.fields = fields;
      this.outer = outer;
    }
  }

  private final JsonParser json;
  private final Descriptor whole;
  private final boolean lenient;
  private @Nullable Open innermost;
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
      message.begin(type, fields);
      for (Open open = message.innermost; open != null; open = message.innermost) {
        message.token(json.nextToken(), open);
      }
      return message.leftOut;
    }
  }

  private void begin(Descriptor type, Fields fields) {
    Map<String, Field> known = FIELDS.get(type);
    if (known == null) {
      known = FIELDS.computeIfAbsent(type, JsonMessage::fields);
    }
    innermost = new Open(type, known, fields, innermost);
  }

  private static Map<String, Field> fields(Descriptor type) {
    Map<String, Field> fields = new HashMap<>();
    for (FieldDescriptor descriptor : type.getFields()) {
      Field field = Field.of(descriptor);
      fields.put(descriptor.getName(), field);
      fields.put(descriptor.getJsonName(), field);
    }
    return fields;
  }

  /** Takes the next token of the innermost message. */
  private void token(JsonToken token, Open message) throws IOException {
    Field field = message.field;
    if (token == JsonToken.FIELD_NAME) {
      name(json.currentName(), message);
    } else if (field == null) {
      expect(token == JsonToken.END_OBJECT, "the end of an object");
      innermost = message.outer;
    } else if (message.inList && token != JsonToken.END_ARRAY) {
      expect(lenient || token != JsonToken.VALUE_NULL, "a value");
      value(field, message.fields);
    } else if (message.inList || token == JsonToken.VALUE_NULL) {
      message.inList = false;
      message.field = null;
    } else if (field.isRepeated) {
      list(token, field, message);
    } else {
      message.field = null;
      value(field, message.fields);
    }
  }

  private void name(String name, Open message) throws IOException {
    message.field = message.known.get(name);
    if (message.field == null) {
      json.nextToken();
      json.skipChildren();
      tell("Cannot find field: " + name + " in message " + message.type.getFullName());
    }
  }

  private void list(JsonToken token, Field field, Open message) throws IOException {
    boolean below = message.type != whole;
    if (lenient && below && token != JsonToken.START_ARRAY) {
      leaveOut(field.descriptor);
      message.field = null;
      return;
    }
    expect(token == JsonToken.START_ARRAY, "an array");
    message.inList = true;
  }

  private void value(Field field, Fields fields) throws IOException {
    if (field.isMessage) {
      field.value.pass(this, fields);
      return;
    }
    try {
      field.value.pass(this, fields);
    } catch (InvalidProtocolBufferException
        | InputCoercionException
        | IllegalArgumentException
        | ArithmeticException e) {
      if (!lenient) {
        throw e;
      }
      leaveOut(field.descriptor);
      fields.invalid(field.descriptor.getNumber());
    }
  }

  private void message(FieldDescriptor field, Fields fields) throws IOException {
    Fields below = fields.message(field.getNumber());
    boolean isObject = json.currentToken() == JsonToken.START_OBJECT;
    if (lenient && (below == Fields.LEFT_OUT || !isObject)) {
      leaveOut(field);
      return;
    }
    expect(isObject, "an object");
    begin(field.getMessageType(), below);
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
  private static Value scalar(FieldDescriptor field) {
    int number = field.getNumber();
    boolean isId = field.getName().endsWith("_id");
    return switch (field.getType()) {
      case STRING -> (json, fields) -> fields.text(number, wellFormed(json.text()));
      case BYTES -> (json, fields) -> fields.bytes(number, json.bytes(isId));
      case INT32 ->
          (json, fields) ->
              fields.number(number, json.integer(Integer.MIN_VALUE, Integer.MAX_VALUE));
      case INT64, SFIXED64 ->
          (json, fields) -> fields.number(number, json.integer(Long.MIN_VALUE, Long.MAX_VALUE));
      case UINT32, FIXED32 ->
          (json, fields) -> fields.number(number, (int) json.integer(0, 0xffffffffL));
      case UINT64, FIXED64 -> (json, fields) -> fields.number(number, json.unsigned());
      case DOUBLE ->
          (json, fields) ->
              fields.number(number, Double.doubleToLongBits(Double.parseDouble(json.text())));
      case BOOL -> (json, fields) -> fields.number(number, json.bool() ? 1 : 0);
      case ENUM -> (json, fields) -> fields.number(number, json.constant(field));
      default ->
          (json, fields) -> {
            throw new InvalidProtocolBufferException("No field has the type of " + field);
          };
    };
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
