/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

/** The version of OTLP profiles, of which a receiver takes one only while the signal is alpha. */
final class ProfilesVersion {
  static final String HEADER = "otlp-profiles-development-version";
  static final String SENT = "1";

  private ProfilesVersion() {}

  /** Adds what to do if a receiver says that it takes another version. */
  static String explain(String refusal) {
    return refusal.contains(HEADER)
        ? refusal
            + ". This release sends version "
            + SENT
            + ": take a release for the receiver's version, or a receiver of version "
            + SENT
        : refusal;
  }
}
