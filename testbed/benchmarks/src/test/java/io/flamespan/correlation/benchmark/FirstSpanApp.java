/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.concurrent.TimeUnit;

/**
 * Exports one span and prints a line. It uses no class of the plug-in, so it also runs without it.
 */
final class FirstSpanApp {
  public static void main(String[] arguments) throws InterruptedException {
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk();
    Span span = sdk.getTracer("first").spanBuilder("first").startSpan();
    try (Scope scope = span.makeCurrent()) {
      span.setAttribute("in", scope.toString());
    }
    span.end();
    sdk.getSdkTracerProvider().forceFlush().join(10, TimeUnit.SECONDS);
    System.out.println(StartUp.ANSWER);
    Thread.sleep(TimeUnit.MINUTES.toMillis(1));
  }

  private FirstSpanApp() {}
}
