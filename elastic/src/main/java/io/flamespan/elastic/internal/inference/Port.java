/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import org.jspecify.annotations.Nullable;

/** Parses port numbers of attributes and URLs. */
final class Port {
  /** Represents a port that is missing or invalid. */
  static final int NONE = -1;

  private static final int MAX = 65_535;
  private static final int MAX_DIGITS = 5;

  private Port() {}

  /** Returns the port in the value of an attribute, a number or text, or {@link #NONE}. */
  static int of(@Nullable Object value) {
    if (value instanceof Long) {
      return checked((Long) value);
    }
    return value instanceof String ? parse(((String) value).trim()) : NONE;
  }

  /** Returns the port in decimal digits, or {@link #NONE}. */
  static int parse(String digits) {
    if (digits.isEmpty() || digits.length() > MAX_DIGITS) {
      return NONE;
    }
    for (int i = 0; i < digits.length(); i++) {
      if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
        return NONE;
      }
    }
    return checked(Integer.parseInt(digits));
  }

  /** Returns the default port of a URL scheme, or {@link #NONE} if the scheme is unknown. */
  static int ofScheme(@Nullable String scheme) {
    if ("http".equals(scheme)) {
      return 80;
    }
    return "https".equals(scheme) ? 443 : NONE;
  }

  private static int checked(long port) {
    return port > 0 && port <= MAX ? (int) port : NONE;
  }
}
