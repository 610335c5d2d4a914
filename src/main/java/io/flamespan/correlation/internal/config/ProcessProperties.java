/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The system properties, or environment variables in their place. */
public final class ProcessProperties {
  /**
   * Returns the value of the system property or, if that is not set, of the environment variable
   * with the same name in upper case and {@code _} in place of dots. Returns null if neither is
   * set. Blank values count as not set.
   */
  public static @Nullable String get(String property) {
    String value = System.getProperty(property);
    if (!isSet(value)) {
      value = System.getenv(variable(property));
    }
    return isSet(value) ? value : null;
  }

  static boolean isSet(@Nullable String text) {
    return text != null && !text.trim().isEmpty();
  }

  static String variable(String property) {
    return property.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  private ProcessProperties() {}
}
