/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.flamespan.correlation.internal.protocol.HexIds;
import io.flamespan.correlation.internal.protocol.Utf8Str;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.Objects;

/**
 * Texts are cut between characters and read back as they were written. Ids are parsed as the JDK
 * does. The first byte is the length limit of a text.
 */
public final class TextTarget {
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length < 1 + 2 * Long.BYTES) {
      return;
    }
    ids(ByteBuffer.wrap(input, 1, 2 * Long.BYTES));
    encoded(new String(input, 1, input.length - 1, UTF_8), input[0] & 0xff);
    decoded(ByteBuffer.wrap(input, 1, input.length - 1).slice().order(ByteOrder.nativeOrder()));
  }

  private static void ids(ByteBuffer bytes) {
    long high = bytes.getLong();
    long low = bytes.getLong();
    String hex = HexIds.toHex(high, low);
    same(hex, String.format("%016x%016x", high, low));
    same(HexIds.toHex(low), hex.substring(16));
    same(HexIds.parseLong(hex, 0), high);
    same(HexIds.parseLong(hex, 16), low);
    same(HexIds.parseLong(hex.toUpperCase(java.util.Locale.ROOT), 16), low);
  }

  private static void encoded(String text, int limit) {
    byte[] cut = Utf8Str.encode(text, limit);
    String expected = Utf8StrFuzzTest.longestPrefix(text, limit);
    same(Utf8StrFuzzTest.strictlyDecoded(cut, () -> text), expected);
    ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + cut.length + 1);
    Utf8Str.put(buffer, cut);
    buffer.flip();
    same(Utf8Str.get(buffer), expected);
    same(buffer.remaining(), 0);
  }

  private static void decoded(ByteBuffer bytes) {
    long length = Integer.toUnsignedLong(bytes.getInt(0));
    int there = bytes.remaining() - Integer.BYTES;
    String read = Utf8Str.get(bytes);
    if (length > there) {
      same(read, null);
    } else {
      String text = new String(bytes.array(), 1 + Integer.BYTES, (int) length, UTF_8);
      same(read == null || read.equals(text), true);
      same(read == null, !isUtf8(ByteBuffer.wrap(bytes.array(), 1 + Integer.BYTES, (int) length)));
      same(bytes.remaining(), there - (int) length);
    }
  }

  private static boolean isUtf8(ByteBuffer bytes) {
    try {
      UTF_8.newDecoder().decode(bytes);
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static void same(Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) {
      throw new AssertionError("'" + actual + "', not '" + expected + "'");
    }
  }

  private TextTarget() {}
}
