/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.concurrent.TimeUnit;

/**
 * An application that can be packed in any way: needs nothing but OpenTelemetry. It creates busy
 * spans until it is ended. With an argument, it uses the SDK of an agent.
 */
public final class ShapedApp {
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(3);
  private static final long SPAN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private ShapedApp() {}

  public static void main(String[] arguments) {
    OpenTelemetry sdk =
        arguments.length > 0
            ? GlobalOpenTelemetry.get()
            : AutoConfiguredOpenTelemetrySdk.builder().build().getOpenTelemetrySdk();
    System.out.println("ready");
    for (long start = System.nanoTime(); System.nanoTime() - start < LIMIT_NANOS; ) {
      Span span = sdk.getTracer("shaped").spanBuilder("busy").startSpan();
      try (Scope scope = span.makeCurrent()) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < SPAN_NANOS) {
          // keeps a CPU busy, so that samples hit this span
        }
      }
      span.end();
    }
  }
}
