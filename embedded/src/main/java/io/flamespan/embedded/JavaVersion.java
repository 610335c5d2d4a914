/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

/** The version of Java, on which depends what can be sampled. */
final class JavaVersion {
  /** The number of the release: 8, 11, … */
  static final int OF_PROCESS = number(System.getProperty("java.specification.version", "8"));

  private static int number(String version) {
    try {
      return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    } catch (NumberFormatException e) {
      return 8;
    }
  }

  private JavaVersion() {}
}
