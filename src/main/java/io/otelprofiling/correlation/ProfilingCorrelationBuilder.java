/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation;

import io.otelprofiling.correlation.internal.runtime.Correlator;

import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plug-in for an SDK that is built in code. For one thread.
 *
 * <pre>{@code
 * ProfilingCorrelation correlation = ProfilingCorrelation.builder(resource).build();
 * SdkTracerProviderBuilder tracing =
 *     SdkTracerProvider.builder()
 *         .setResource(resource)
 *         .addSpanProcessor(
 *             ProfilingCorrelation.correlate(
 *                 BatchSpanProcessor.builder(correlation.withHostId(exporter)).build()));
 * OpenTelemetrySdk sdk =
 *     OpenTelemetrySdk.builder().setTracerProvider(correlation.addTo(tracing).build()).build();
 * }</pre>
 *
 * <p>It ends when the tracer provider is shut down, or when it is closed itself.
 */
public final class ProfilingCorrelationBuilder {
  private final Resource resource;
  private final Map<String, String> settings = new HashMap<>();

  ProfilingCorrelationBuilder(Resource resource) {
    this.resource = resource;
  }

  /**
   * Sets what is not set as system property or environment variable of that name.
   *
   * @param property its full name, such as {@code
   *     elastic.otel.universal.profiling.integration.enabled}
   */
  public ProfilingCorrelationBuilder setDefault(String property, String value) {
    settings.put(property, value);
    return this;
  }

  /**
   * Reads the settings; a wrong one is answered by one warning. To be called before anything in the
   * application asks OpenTelemetry for the current context. Nothing is started yet.
   */
  public ProfilingCorrelation build() {
    return new ProfilingCorrelation(
        new Correlator(CorrelationConfig.read(this::property), resource));
  }

  private @Nullable String property(String name) {
    String value = CorrelationConfig.ofProcess(name);
    return value == null ? settings.get(name) : value;
  }
}
