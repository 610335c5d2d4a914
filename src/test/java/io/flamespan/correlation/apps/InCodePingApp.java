/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.ProfilingCorrelation;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.exporter.logging.LoggingSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;

/** Like {@link PingApp}, with an SDK that is built in code. */
public final class InCodePingApp {
  private InCodePingApp() {}

  public static void main(String[] arguments) {
    ProfilingCorrelation.registerContextStorage();
    try (ProfilingCorrelation correlation =
        ProfilingCorrelation.builder(Resource.getDefault()).start()) {
      SdkTracerProviderBuilder builder =
          SdkTracerProvider.builder()
              .setSampler(ProfilingCorrelation.correlate(Sampler.alwaysOn()))
              .addSpanProcessor(
                  ProfilingCorrelation.correlate(
                      SimpleSpanProcessor.create(
                          correlation.withHostId(LoggingSpanExporter.create()))));
      try (SdkTracerProvider provider = correlation.install(builder).build()) {
        Span span = provider.get("test").spanBuilder("ping").startSpan();
        try (Scope scope = span.makeCurrent()) {
          System.out.println("current: " + (Span.current() == span));
        }
        span.end();
      }
    }
  }
}
