/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

/** Converts between hexadecimal ids, which OpenTelemetry writes in lower case, and longs. */
public final class HexIds {
  private static final char[] DIGITS = "0123456789abcdef".toCharArray();
  private static final int LONG_LENGTH = 16;
  private static final long EACH_BYTE = 0x0101010101010101L;

  /**
   * Parses 16 hexadecimal digits as a big-endian long, without garbage.
   *
   * @throws IndexOutOfBoundsException if there are fewer than 16 digits from {@code offset} on
   */
  public static long parseLong(String hex, int offset) {
    return parseHalf(hex, offset) << Integer.SIZE | parseHalf(hex, offset + LONG_LENGTH / 2);
  }

  /** Parses eight digits at once, one per byte, in half the time of a loop over the digits. */
  private static long parseHalf(String hex, int offset) {
    long digits =
        (long) hex.charAt(offset) << 56
            | (long) hex.charAt(offset + 1) << 48
            | (long) hex.charAt(offset + 2) << 40
            | (long) hex.charAt(offset + 3) << 32
            | (long) hex.charAt(offset + 4) << 24
            | hex.charAt(offset + 5) << 16
            | hex.charAt(offset + 6) << 8
            | hex.charAt(offset + 7);
    // Ids are validated when they are created: '0' is 0x30, 'A' is 0x41, 'a' is 0x61.
    long nibbles = (digits & 0xf * EACH_BYTE) + (digits >>> 6 & EACH_BYTE) * 9;
    long bytes = (nibbles >>> 4 | nibbles) & 0x00ff00ff00ff00ffL;
    long shorts = (bytes >>> 8 | bytes) & 0x0000ffff0000ffffL;
    return (shorts >>> 16 | shorts) & 0xffffffffL;
  }

  /** Returns the 16 digits of a span id. */
  public static String toHex(long id) {
    char[] digits = new char[LONG_LENGTH];
    write(id, digits, 0);
    return new String(digits);
  }

  /** Returns the 32 digits of a trace id. */
  public static String toHex(long high, long low) {
    char[] digits = new char[2 * LONG_LENGTH];
    write(high, digits, 0);
    write(low, digits, LONG_LENGTH);
    return new String(digits);
  }

  /** Returns one of the 16 digits of a span id, in ASCII. */
  public static byte digit(long id, int index) {
    return (byte) DIGITS[(int) (id >>> (60 - 4 * index)) & 0xf];
  }

  private static void write(long id, char[] digits, int offset) {
    for (int i = 0; i < LONG_LENGTH; i++) {
      digits[offset + i] = (char) digit(id, i);
    }
  }

  private HexIds() {}
}
