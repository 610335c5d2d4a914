/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.TestPlan;

/** The settings: system properties, environment variables, and JUnit's configuration parameters. */
final class TestSettings {
  static final String ENABLED = "flamespan.junit.enabled";
  static final String DIRECTORY = "flamespan.junit.directory";

  /** Returns whether tests are profiled. */
  static boolean isEnabled(TestPlan plan) {
    String value = get(plan, ENABLED);
    if (value == null || value.equalsIgnoreCase("false")) {
      return false;
    }
    if (value.equalsIgnoreCase("true")) {
      return true;
    }
    ProfilingTestListener.warnOfSetting(
        "Wrong value ''{0}'' of {1}: expected true or false; tests are not profiled.",
        value, ENABLED);
    return false;
  }

  /** Returns the value, or null if it is not set or blank. */
  static @Nullable String get(TestPlan plan, String name) {
    String value = orNull(System.getProperty(name));
    if (value == null) {
      value = orNull(System.getenv(name.toUpperCase(Locale.ROOT).replace('.', '_')));
    }
    return value == null ? ofPlatform(plan, name) : value;
  }

  private static @Nullable String ofPlatform(TestPlan plan, String name) {
    try {
      return orNull(plan.getConfigurationParameters().get(name).orElse(null));
    } catch (NoSuchMethodError e) {
      return null; // JUnit 5.7 and earlier
    }
  }

  private static @Nullable String orNull(@Nullable String value) {
    return value == null || value.trim().isEmpty() ? null : value.trim();
  }

  private TestSettings() {}
}
