/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.testing.RecordingSpanProcessor;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;

/**
 * An application that starts many local root spans, whose end the plug-in does not see: it never
 * ends them, or a span processor throws. Uses no class of the plug-in.
 */
public final class EndlessSpansApp {
  public static final String NEVER_ENDED = "never ended";
  public static final String PROCESSOR_THROWS = "processor throws";

  private EndlessSpansApp() {}

  public static void main(String[] arguments) {
    boolean end = arguments[0].equals(PROCESSOR_THROWS);
    RecordingSpanProcessor failing = new RecordingSpanProcessor();
    failing.failing = true;
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .addTracerProviderCustomizer(
                (provider, config) -> end ? provider.addSpanProcessor(failing) : provider)
            .build()
            .getOpenTelemetrySdk();
    Tracer tracer = sdk.getTracer("test");
    for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
      Span span = tracer.spanBuilder("root").setNoParent().startSpan();
      try {
        if (end) {
          span.end();
        }
      } catch (IllegalStateException e) {
        // as an application that logs it and continues
      }
    }
    System.out.println("all started");
    System.exit(0);
  }
}
