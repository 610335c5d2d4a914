/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.id;

/** Lower-case hexadecimal ids, as OpenTelemetry has them, to and from longs. */
public final class HexIds {
  private static final char[] DIGITS = "0123456789abcdef".toCharArray();
  private static final int LONG_LENGTH = 16;

  /**
   * Reads 16 hexadecimal digits as a big-endian long, without garbage.
   *
   * @throws IndexOutOfBoundsException if there are fewer than 16 digits from {@code offset} on
   */
  public static long parseLong(String hex, int offset) {
    long value = 0;
    for (int i = offset; i < offset + LONG_LENGTH; i++) {
      int digit = hex.charAt(i);
      // Ids were validated by whoever created them: 'a' is 0x61, 'A' is 0x41, '0' is 0x30.
      value = value << 4 | ((digit & 0xf) + (digit >>> 6) * 9);
    }
    return value;
  }

  /** The 16 digits of a span id. */
  public static String toHex(long id) {
    char[] digits = new char[LONG_LENGTH];
    write(id, digits, 0);
    return new String(digits);
  }

  /** The 32 digits of a trace id. */
  public static String toHex(long high, long low) {
    char[] digits = new char[2 * LONG_LENGTH];
    write(high, digits, 0);
    write(low, digits, LONG_LENGTH);
    return new String(digits);
  }

  private static void write(long id, char[] digits, int offset) {
    for (int i = 0; i < LONG_LENGTH; i++) {
      digits[offset + i] = DIGITS[(int) (id >>> (60 - 4 * i)) & 0xf];
    }
  }

  private HexIds() {}
}
