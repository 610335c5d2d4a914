/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.apps;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;

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
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .addTracerProviderCustomizer(
                (provider, config) ->
                    end ? provider.addSpanProcessor(new ThrowingProcessor()) : provider)
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

  private static final class ThrowingProcessor implements SpanProcessor {
    @Override
    public void onStart(Context parentContext, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
      return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      throw new IllegalStateException();
    }

    @Override
    public boolean isEndRequired() {
      return true;
    }
  }
}
