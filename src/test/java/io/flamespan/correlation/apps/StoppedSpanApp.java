/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Collects garbage in a span, and prints the attributes and the nanoseconds of this span. Does it
 * again until the span has attributes: what happens before a clock was read prevents them.
 */
public final class StoppedSpanApp {
  private static final int COLLECTIONS = 10;
  private static final int OBJECTS = 1_000_000; // so that a collection takes a while

  public static void main(String[] arguments) {
    List<Object> kept = new ArrayList<>();
    for (int i = 0; i < OBJECTS; i++) {
      kept.add(new Object());
    }
    RecordingSpanExporter exporter = new RecordingSpanExporter();
    try (OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .addSpanExporterCustomizer((configured, config) -> exporter)
            .build()
            .getOpenTelemetrySdk()) {
      SpanData exported;
      do {
        System.out.println("begins");
        Span span = sdk.getTracer("test").spanBuilder("stopped").startSpan();
        for (int i = 0; i < COLLECTIONS; i++) {
          System.gc();
        }
        span.end();
        System.out.println("ended");
        sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES);
        exported = exporter.exported(span).get(0);
        System.out.println("attributes=" + exported.getAttributes());
        System.out.println(
            "duration=" + (exported.getEndEpochNanos() - exported.getStartEpochNanos()));
      } while (exported.getAttributes().isEmpty());
    }
    System.out.println(kept.size() + " objects are left");
  }

  private StoppedSpanApp() {}
}
