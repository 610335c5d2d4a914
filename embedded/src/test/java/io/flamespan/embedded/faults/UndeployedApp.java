/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import io.flamespan.embedded.EmbeddedAsyncProfiler;
import io.flamespan.embedded.JoinedSamples;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** An application that works until a span has a sample, and closes its SDK. */
public final class UndeployedApp {
  public static void serve() throws InterruptedException {
    CountDownLatch sampled = new CountDownLatch(1);
    JoinedSamples listener =
        (samples, period) -> {
          if (samples.stream().anyMatch(sample -> sample.work != null)) {
            sampled.countDown();
          }
        };
    EmbeddedAsyncProfiler.addListener(listener);
    try (OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk()) {
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      while (sampled.getCount() > 0 && System.nanoTime() < end) {
        Span span = sdk.getTracer("test").spanBuilder("span").startSpan();
        try (Scope scope = span.makeCurrent()) {
          long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
          while (System.nanoTime() < until) {
            Thread.onSpinWait();
          }
        }
        span.end();
      }
    }
    System.out.println("sampled: " + (sampled.getCount() == 0));
  }

  private UndeployedApp() {}
}
