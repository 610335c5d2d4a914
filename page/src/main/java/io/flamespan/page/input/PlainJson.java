/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link JsonMessage} reads, several times as fast, if it is written as usual: known
 * fields, ids in hexadecimal digits, numbers without an exponent. Refuses everything else.
 */
final class PlainJson {
  /** A message is not written as usual, or is none. */
  static final class NotPlain extends Exception {
    private static final long serialVersionUID = 1;

    private NotPlain() {
      super(null, null, false, false);
    }
  }

  private static final int MOST_DEPTH = 100;
  private static final int LONGEST_NUMBER = 100;
  private static final long TEN_TIMES_FITS = (Long.MAX_VALUE - 9) / 10;
  private static final int LONGEST_UNSIGNED = 32; // bits
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");
  private static final char REPLACEMENT = '\ufffd';
  private static final byte[] NO_BYTES = {};

  private static final class Field {
    final FieldDescriptor of;
    final FieldDescriptor.Type type;
    final int number;
    final boolean repeated;
    final boolean isId;
    private @Nullable Type below;

    Field(FieldDescriptor of) {
      this.of = of;
      type = of.getType();
      number = of.getNumber();
      repeated = of.isRepeated();
      isId = of.getName().endsWith("_id");
    }

    /** The type of the messages in it. */
    Type below() {
      Type known = below;
      if (known == null) {
        known = Type.of(of.getMessageType());
        below = known;
      }
      return known;
    }
  }

  /** The fields of a type of messages by both of their names. */
  private static final class Type {
    private static final Map<Descriptor, Type> KNOWN = new ConcurrentHashMap<>();

    private final byte[][] names;
    private final Field[] fields;

    private Type(Descriptor type) {
      int size = Integer.highestOneBit(Math.max(1, type.getFields().size())) << 3;
      names = new byte[size][];
      fields = new Field[size];
      for (FieldDescriptor of : type.getFields()) {
        Field field = new Field(of);
        put(of.getJsonName(), field);
        put(of.getName(), field);
      }
    }

    static Type of(Descriptor type) {
      return KNOWN.computeIfAbsent(type, Type::new);
    }

    private void put(String text, Field field) {
      byte[] name = text.getBytes(ISO_8859_1);
      int place = text.hashCode() & (names.length - 1);
      while (names[place] != null) {
        place = (place + 1) & (names.length - 1);
      }
      names[place] = name;
      fields[place] = field;
    }

    /** Null if there is no field of this name, whose hash is a string's. */
    @Nullable Field find(byte[] json, int begin, int end, int hash) {
      int place = hash & (names.length - 1);
      while (names[place] != null) {
        if (Arrays.equals(names[place], 0, names[place].length, json, begin, end)) {
          return fields[place];
        }
        place = (place + 1) & (names.length - 1);
      }
      return null;
    }
  }

  private final byte[] json;
  private int at;
  private int depth;

  private PlainJson(byte[] json) {
    this.json = json;
  }

  /** Reads a message of this type. If it refuses it, it may have read a part. */
  static void read(byte[] json, Descriptor type, Fields fields) throws NotPlain {
    PlainJson plain = new PlainJson(json);
    plain.expect(plain.token() == '{');
    plain.message(Type.of(type), fields);
    while (plain.at < json.length) {
      plain.expect(isSpace(plain.next()));
    }
  }

  /** Reads what follows the bracket. */
  private void message(Type type, Fields fields) throws NotPlain {
    expect(++depth <= MOST_DEPTH);
    if (!isEmpty('}')) {
      do {
        field(name(type), fields);
      } while (goesOn('}'));
    }
    depth--;
  }

  private void field(Field field, Fields fields) throws NotPlain {
    if (!field.repeated) {
      value(field, fields);
      return;
    }
    expect(token() == '[');
    if (!isEmpty(']')) {
      do {
        value(field, fields);
      } while (goesOn(']'));
    }
  }

  private Field name(Type type) throws NotPlain {
    expect(token() == '"');
    int begin = at;
    int hash = 0;
    for (byte next = next(); next != '"'; next = next()) {
      hash = 31 * hash + next;
    }
    Field field = type.find(json, begin, at - 1, hash);
    expect(token() == ':');
    if (field == null) {
      throw new NotPlain();
    }
    return field;
  }

  @SuppressWarnings("UnnecessaryLongToIntConversion") // a number of 32 bits
  private void value(Field field, Fields fields) throws NotPlain {
    int number = field.number;
    switch (field.type) {
      case MESSAGE -> {
        expect(token() == '{');
        message(field.below(), fields.message(number));
      }
      case STRING -> fields.text(number, text());
      case BYTES -> fields.bytes(number, bytes(field));
      case INT32 -> {
        long value = integer();
        expect(value == (int) value);
        fields.number(number, value);
      }
      case INT64, SFIXED64 -> fields.number(number, integer());
      case UINT32, FIXED32 -> {
        long value = integer();
        expect(value >>> LONGEST_UNSIGNED == 0);
        fields.number(number, (int) value);
      }
      case UINT64, FIXED64 -> {
        long value = integer();
        expect(value >= 0);
        fields.number(number, value);
      }
      case DOUBLE -> fields.number(number, Double.doubleToLongBits(real()));
      case BOOL -> fields.number(number, bool() ? 1 : 0);
      case ENUM -> fields.number(number, constant(field));
      default -> throw new NotPlain();
    }
  }

  /** A number without a fraction, which may be in quotes. */
  private long integer() throws NotPlain {
    byte first = token();
    boolean quoted = first == '"';
    byte next = quoted ? next() : first;
    boolean negative = next == '-';
    next = negative ? next() : next;
    int begin = at;
    long value = 0;
    boolean zero = next == '0';
    while (next >= '0' && next <= '9') {
      expect(value <= TEN_TIMES_FITS);
      value = 10 * value + next - '0';
      next = next();
    }
    int digits = at - begin;
    expect(digits > 0 && (quoted ? next == '"' : !zero || digits == 1));
    at -= quoted ? 0 : 1;
    return negative ? -value : value;
  }

  private double real() throws NotPlain {
    token();
    int begin = --at;
    while (at < json.length && (Character.isLetterOrDigit(json[at]) || isSign(json[at]))) {
      at++;
    }
    expect(at - begin <= LONGEST_NUMBER);
    String number = new String(json, begin, at - begin, ISO_8859_1);
    expect(NUMBER.matcher(number).matches());
    return Double.parseDouble(number);
  }

  private static boolean isSign(byte one) {
    return one == '-' || one == '+' || one == '.';
  }

  private boolean bool() throws NotPlain {
    boolean value = token() == 't';
    at--;
    for (char letter : (value ? "true" : "false").toCharArray()) {
      expect(next() == letter);
    }
    return value;
  }

  private long constant(Field field) throws NotPlain {
    boolean quoted = token() == '"';
    at--;
    if (!quoted) {
      long value = integer();
      expect(value == (int) value);
      return value;
    }
    EnumValueDescriptor value = field.of.getEnumType().findValueByName(text());
    if (value == null) {
      throw new NotPlain();
    }
    return value.getNumber();
  }

  private byte[] bytes(Field field) throws NotPlain {
    expect(token() == '"');
    int begin = at;
    while (next() != '"') {
      // The digits follow.
    }
    int digits = at - 1 - begin;
    if (digits == 0) {
      return NO_BYTES;
    }
    expect(field.isId && (digits == 2 * Long.BYTES || digits == 4 * Long.BYTES));
    byte[] bytes = new byte[digits / 2];
    for (int i = 0; i < bytes.length; i++) {
      int high = digit(json[begin + 2 * i]);
      int low = digit(json[begin + 2 * i + 1]);
      expect((high | low) >= 0);
      bytes[i] = (byte) (high << 4 | low);
    }
    return bytes;
  }

  /** -1 if it is no hexadecimal digit. */
  private static int digit(byte one) {
    if (one >= '0' && one <= '9') {
      return one - '0';
    }
    int letter = one | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
  }

  private String text() throws NotPlain {
    expect(token() == '"');
    int begin = at;
    int hash = 0;
    for (byte next = next(); next != '"'; next = next()) {
      if (next < ' ' || next == '\\') {
        at = begin;
        return decoded();
      }
      hash = 31 * hash + next;
    }
    return Texts.of(json, begin, at - 1, hash);
  }

  /** The rest of a text with escapes, or characters beyond ASCII. */
  private String decoded() throws NotPlain {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (byte next = next(); next != '"'; next = next()) {
      expect(next < 0 || next >= ' ');
      if (next == '\\') {
        text.writeBytes(String.valueOf(escaped()).getBytes(UTF_8));
      } else {
        text.write(next);
      }
    }
    String decoded = text.toString(UTF_8);
    expect(decoded.indexOf(REPLACEMENT) < 0); // else it may not be UTF-8
    return decoded;
  }

  private char escaped() throws NotPlain {
    byte next = next();
    switch (next) {
      case '"', '\\', '/' -> {
        return (char) next;
      }
      case 'b' -> {
        return '\b';
      }
      case 'f' -> {
        return '\f';
      }
      case 'n' -> {
        return '\n';
      }
      case 'r' -> {
        return '\r';
      }
      case 't' -> {
        return '\t';
      }
      case 'u' -> {
        int value = 0;
        for (int i = 0; i < 4; i++) {
          int digit = digit(next());
          expect(digit >= 0);
          value = value << 4 | digit;
        }
        expect(!Character.isSurrogate((char) value));
        return (char) value;
      }
      default -> throw new NotPlain();
    }
  }

  /** Whether the bracket follows at once. */
  private boolean isEmpty(char bracket) throws NotPlain {
    if (token() == bracket) {
      return true;
    }
    at--;
    return false;
  }

  /** Whether another one follows, and not the bracket. */
  private boolean goesOn(char bracket) throws NotPlain {
    byte next = token();
    expect(next == ',' || next == bracket);
    return next == ',';
  }

  /** The next byte that is no space. */
  private byte token() throws NotPlain {
    byte next = next();
    while (isSpace(next)) {
      next = next();
    }
    return next;
  }

  private static boolean isSpace(byte one) {
    return one == ' ' || one == '\n' || one == '\r' || one == '\t';
  }

  private byte next() throws NotPlain {
    expect(at < json.length);
    return json[at++];
  }

  private void expect(boolean found) throws NotPlain {
    if (!found) {
      throw new NotPlain();
    }
  }
}
