/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.config;

/** A setting with three values: of the plug-in as a whole, of the thread context, of the MBean. */
public enum Switch {
  /** The plug-in delays spans from a profiler's first message on; the others: where possible. */
  AUTO("auto"),
  /** The plug-in delays spans from the start; the others: with a warning where not possible. */
  ON("true"),
  /** Nothing is installed. */
  OFF("false");

  private final String value;

  Switch(String value) {
    this.value = value;
  }

  /** Returns the value as it is written in settings. */
  public String value() {
    return value;
  }
}
