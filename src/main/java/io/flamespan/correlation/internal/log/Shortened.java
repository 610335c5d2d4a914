/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.log;

/** Values from outside, as they appear in log lines: a list of settings may fill a screen. */
public final class Shortened {
  private static final int MAX_LENGTH = 100;

  /** Returns the value, or its beginning and its length if it has more than 100 characters. */
  public static String of(String value) {
    return value.length() <= MAX_LENGTH
        ? value
        : value.substring(0, MAX_LENGTH) + "… (" + value.length() + " characters)";
  }

  private Shortened() {}
}
