/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.apps;

import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.concurrent.TimeUnit;

/** Ends without any of what a JVM does at its exit. */
public final class HaltingApp {
  public static final int STATUS = 7;

  private HaltingApp() {}

  public static void main(String[] arguments) {
    AutoConfiguredOpenTelemetrySdk.builder()
        .disableShutdownHook()
        .build()
        .getOpenTelemetrySdk()
        .getSdkTracerProvider()
        .forceFlush() // after which the worker has done what the start gave it
        .join(1, TimeUnit.MINUTES);
    Runtime.getRuntime().halt(STATUS);
  }
}
