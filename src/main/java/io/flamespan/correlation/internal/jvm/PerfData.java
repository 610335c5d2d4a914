/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.jvm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The content of a file {@code hsperfdata}, which HotSpot changes at any time.
 *
 * <pre>
 *  begin of the file                         each entry
 *   0  magic number, big endian               0  its length
 *   4  byte order of the rest: 1 is little    4  offset of its name, which ends with 0
 *  24  offset of the first entry              8  number of elements, or 0 for one value
 *  28  number of entries                     12  type of an element, as in class files
 *                                            16  offset of its value
 * </pre>
 *
 * <p>Source: OpenJDK, {@code PerfDataPrologue} and {@code PerfDataEntry}.
 */
final class PerfData {
  private static final int MAGIC = 0xcafec0c0;
  private static final int BYTE_ORDER = 4;
  private static final int FIRST_ENTRY = 24;
  private static final int ENTRIES = 28;
  private static final int PROLOGUE = 32;

  private static final int NAME = 4;
  private static final int ELEMENTS = 8;
  private static final int TYPE = 12;
  private static final int VALUE = 16;
  private static final int ENTRY = 20;

  private final ByteBuffer content;
  private final Map<String, Integer> entries = new HashMap<>();

  /**
   * Reads the names of the entries.
   *
   * @throws IOException if the content is damaged
   */
  PerfData(ByteBuffer content) throws IOException {
    this.content = content.duplicate(); // big endian
    check(0, PROLOGUE);
    if (this.content.getInt(0) != MAGIC) {
      throw new IOException("its first bytes are not those of HotSpot");
    }
    this.content.order(
        this.content.get(BYTE_ORDER) == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    int count = this.content.getInt(ENTRIES);
    long entry = this.content.getInt(FIRST_ENTRY);
    for (int i = 0; i < count; i++) {
      check(entry, ENTRY);
      int length = this.content.getInt((int) entry);
      if (length < ENTRY) {
        throw new IOException("it is damaged at byte " + entry);
      }
      check(entry, length);
      entries.put(text(entry + this.content.getInt((int) entry + NAME), length), (int) entry);
      entry += length;
    }
  }

  private void check(long offset, int length) throws IOException {
    if (offset < 0 || length > content.limit() - offset) {
      throw new IOException("it ends before byte " + offset + " + " + length);
    }
  }

  private String text(long offset, int maxLength) throws IOException {
    check(offset, 0);
    int length = (int) Math.min(Math.max(maxLength, 0), content.limit() - offset);
    byte[] bytes = new byte[length];
    int end = 0;
    while (end < length && (bytes[end] = content.get((int) offset + end)) != 0) {
      end++;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }

  private int entry(String name, char type) throws IOException {
    Integer entry = entries.get(name);
    if (entry == null || content.get(entry + TYPE) != type) {
      throw new IOException("it has no " + name);
    }
    return entry;
  }

  private long value(int entry) {
    return (long) entry + content.getInt(entry + VALUE);
  }

  /** Returns where the value of a number is. */
  int offsetOfLong(String name) throws IOException {
    long offset = value(entry(name, 'J'));
    check(offset, Long.BYTES);
    return (int) offset;
  }

  /** Returns the number at an offset, as it is now. */
  long getLong(int offset) {
    return content.getLong(offset);
  }

  /** Returns where a text is that has room for as many bytes. */
  int offsetOfText(String name, int length) throws IOException {
    int entry = entry(name, 'B');
    long offset = value(entry);
    check(offset, Math.max(length, content.getInt(entry + ELEMENTS)));
    return (int) offset;
  }

  /** Returns a text, as it is now. */
  String text(String name) throws IOException {
    int entry = entry(name, 'B');
    return text(value(entry), content.getInt(entry + ELEMENTS));
  }
}
