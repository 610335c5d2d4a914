/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.config;

/** A setting with three values, used for the plug-in as a whole and some of its features. */
public enum Switch {
  /**
   * The plug-in delays spans once a profiler has sent a message; other features: where possible.
   */
  AUTO("auto"),
  /** The plug-in delays spans from the start; other features: with a warning where impossible. */
  ON("true"),
  /** Nothing is installed. */
  OFF("false");

  private final String value;

  Switch(String value) {
    this.value = value;
  }

  /** Returns the value as written in settings. */
  public String value() {
    return value;
  }
}
