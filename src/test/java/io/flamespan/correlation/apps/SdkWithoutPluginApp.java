/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.scenarios.SampledTraces;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.exporter.logging.LoggingSpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;

/**
 * Registers the context storage, and makes two spans current: those of an SDK in which the plug-in
 * is not installed, or with the argument {@code api} those of no SDK.
 */
public final class SdkWithoutPluginApp {
  private SdkWithoutPluginApp() {}

  public static void main(String[] arguments) {
    ProfilingCorrelation.registerContextStorage();
    boolean api = arguments.length > 0 && arguments[0].equals("api");
    try (SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(LoggingSpanExporter.create()))
            .build()) {
      for (int i = 0; i < 2; i++) {
        Span span =
            api
                ? Span.fromContext(SampledTraces.received())
                : provider.get("test").spanBuilder("ping").startSpan();
        try (Scope scope = span.makeCurrent()) {
          System.out.println("current: " + (Span.current() == span));
        }
        span.end();
      }
    }
  }
}
