/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.log;

/** Values from outside, as long as they may be: a list of settings may fill a screen of the log. */
public final class Shortened {
  private static final int MAX_LENGTH = 100;

  /** Returns the value, or its beginning and its length if it has more than 100 characters. */
  public static String of(String value) {
    return value.length() <= MAX_LENGTH
        ? value
        : value.substring(0, MAX_LENGTH) + "… (" + value.length() + " characters)";
  }

  /** Returns the value, or its beginning without half a character. */
  public static String to(int maxLength, String value) {
    if (value.length() <= maxLength) {
      return value;
    }
    boolean splitsPair = Character.isHighSurrogate(value.charAt(maxLength - 1));
    return value.substring(0, splitsPair ? maxLength - 1 : maxLength);
  }

  private Shortened() {}
}
