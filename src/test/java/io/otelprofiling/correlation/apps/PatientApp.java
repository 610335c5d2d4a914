/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.apps;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Configures an SDK, or does not, shows one span, and lives on. The arguments say what it does
 * otherwise than a usual application.
 */
public final class PatientApp {
  public static void main(String[] arguments) throws Exception {
    List<String> faults = List.of(arguments);
    if (faults.contains("context-first")) {
      try (Scope scope = Context.root().makeCurrent()) {
        System.out.println("The context was used before the SDK was configured.");
      }
    }
    if (!faults.contains("no-sdk")) {
      OpenTelemetry sdk = sdk();
      Span span = sdk.getTracer("patient").spanBuilder("ended").startSpan();
      span.makeCurrent().close();
      span.end();
      sdk.getTracer("patient").spanBuilder("shown").startSpan().makeCurrent();
    }
    if (faults.contains("two-sdks")) {
      sdk();
    }
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  private static OpenTelemetry sdk() {
    return AutoConfiguredOpenTelemetrySdk.builder().build().getOpenTelemetrySdk();
  }

  private PatientApp() {}
}
