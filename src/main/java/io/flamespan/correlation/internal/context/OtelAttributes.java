/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.flamespan.correlation.internal.protocol.HexIds;
import io.flamespan.correlation.internal.protocol.OtelThreadRecord;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that thread contexts have in addition to the ids, and their encoding: the span id
 * of the local root span under key 0, and string attributes of the current span. If the span does
 * not have an attribute of that name, a baggage entry is used. Immutable. Writing allocates
 * nothing.
 *
 * <p>Source: OTEP 4947, "Thread context", attributes.
 */
public final class OtelAttributes {
  /** No attributes. */
  public static final OtelAttributes NONE = new OtelAttributes(false, new ArrayList<>());

  private static final int LOCAL_ROOT_KEY = 0;
  private static final int FIRST_KEY = 1;
  private static final int HEADER = 2; // key and length
  private static final int ID_DIGITS = 16;
  private static final int MAX_VALUE_LENGTH = 255;
  private static final char NOT_A_CHARACTER = '?'; // replaces half a surrogate pair

  private final boolean localRoot;
  private final List<AttributeKey<String>> keys = new ArrayList<>();

  /**
   * Selects attributes.
   *
   * @param keys the keys of span attributes or baggage entries, which get the indexes from 1 on
   */
  public OtelAttributes(boolean localRoot, List<String> keys) {
    this.localRoot = localRoot;
    keys.forEach(key -> this.keys.add(AttributeKey.stringKey(key)));
  }

  boolean isEmpty() {
    return !localRoot && keys.isEmpty();
  }

  boolean varyBySpan() {
    return !keys.isEmpty();
  }

  /** Writes all attributes to a record that is invalid or that readers do not see. */
  void write(
      OtelThreadRecord record,
      long localRootSpanId,
      @Nullable ReadableSpan span,
      @Nullable Context current) {
    int capacity = record.attributesCapacity();
    int size = 0;
    if (localRoot && capacity >= HEADER + ID_DIGITS) {
      putHeader(record, 0, LOCAL_ROOT_KEY, ID_DIGITS);
      for (int i = 0; i < ID_DIGITS; i++) {
        record.putAttributeByte(HEADER + i, HexIds.digit(localRootSpanId, i));
      }
      size = HEADER + ID_DIGITS;
    }
    Baggage baggage = keys.isEmpty() || current == null ? null : Baggage.fromContextOrNull(current);
    for (int i = 0; i < keys.size(); i++) {
      String value = value(keys.get(i), span, baggage);
      if (value != null && size + HEADER < capacity) {
        int room = Math.min(capacity - size - HEADER, MAX_VALUE_LENGTH);
        int length = putUtf8(record, size + HEADER, value, room);
        putHeader(record, size, FIRST_KEY + i, length);
        size += HEADER + length;
      }
    }
    record.setAttributesSize(size);
  }

  private static @Nullable String value(
      AttributeKey<String> key, @Nullable ReadableSpan span, @Nullable Baggage baggage) {
    String value = span == null ? null : span.getAttribute(key);
    return value == null && baggage != null ? baggage.getEntryValue(key.getKey()) : value;
  }

  private static void putHeader(OtelThreadRecord record, int index, int key, int length) {
    record.putAttributeByte(index, (byte) key);
    record.putAttributeByte(index + 1, (byte) length);
  }

  /** Writes as many whole characters as fit, and returns their length in bytes. */
  private static int putUtf8(OtelThreadRecord record, int index, String value, int room) {
    int length = 0;
    for (int i = 0; i < value.length(); ) {
      int character = value.codePointAt(i);
      i += Character.charCount(character);
      if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
        character = NOT_A_CHARACTER;
      }
      int bytes = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
      if (length + bytes > room) {
        break;
      }
      putCharacter(record, index + length, character, bytes);
      length += bytes;
    }
    return length;
  }

  private static void putCharacter(OtelThreadRecord record, int index, int character, int bytes) {
    if (bytes == 1) {
      record.putAttributeByte(index, (byte) character);
      return;
    }
    int rest = character;
    for (int i = bytes - 1; i > 0; i--) {
      record.putAttributeByte(index + i, (byte) (0x80 | (rest & 0x3f)));
      rest >>>= 6;
    }
    int lengthMark = 0xf00 >>> bytes; // the high bits of the first byte, one per byte
    record.putAttributeByte(index, (byte) ((lengthMark & 0xff) | rest));
  }
}
