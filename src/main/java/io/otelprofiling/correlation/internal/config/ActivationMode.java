/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.config;

/** When the plug-in delays local root spans and attaches stack trace ids. */
public enum ActivationMode {
  /** From the first valid message of a profiler on. */
  AUTO,
  /** From the start. */
  TRUE,
  /** Never: nothing is installed. */
  FALSE
}
