/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.apps;

import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.concurrent.TimeUnit;

/** Exits without running any of the JVM's exit steps. */
public final class HaltingApp {
  public static final int STATUS = 7;

  private HaltingApp() {}

  public static void main(String[] arguments) {
    AutoConfiguredOpenTelemetrySdk.builder()
        .disableShutdownHook()
        .build()
        .getOpenTelemetrySdk()
        .getSdkTracerProvider()
        .forceFlush() // returns when the worker has done all its work from the start
        .join(1, TimeUnit.MINUTES);
    Runtime.getRuntime().halt(STATUS);
  }
}
