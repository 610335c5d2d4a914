/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.apps;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;

/** The usual SDK of these applications. */
final class Autoconfigured {
  static OpenTelemetrySdk sdk() {
    return AutoConfiguredOpenTelemetrySdk.builder()
        .disableShutdownHook()
        .build()
        .getOpenTelemetrySdk();
  }

  private Autoconfigured() {}
}
