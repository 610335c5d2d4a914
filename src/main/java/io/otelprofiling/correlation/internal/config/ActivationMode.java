/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.config;

/**
 * Determines when the plug-in delays local root spans and attaches stack trace ids, and in the same
 * words whether it publishes OpenTelemetry's thread context, and its status as an MBean.
 */
public enum ActivationMode {
  /** From the first valid message of a profiler on; the thread context: where this is possible. */
  AUTO("auto"),
  /** From the start; the thread context: with a warning where this is not possible. */
  ENABLED("true"),
  /** Never: nothing is installed. */
  DISABLED("false");

  private final String value;

  ActivationMode(String value) {
    this.value = value;
  }

  /** Returns the mode as it is written in settings. */
  public String value() {
    return value;
  }
}
