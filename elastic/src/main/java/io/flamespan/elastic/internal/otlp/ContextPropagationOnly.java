/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.internal.settings.Feature;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * Propagates traces through this process without recording spans: installs a sampler that drops all
 * spans, and removes the SDK's OTLP exporters. Source: Elastic's transport specification, section
 * "context_propagation_only configuration".
 */
public final class ContextPropagationOnly extends Feature {
  private static final String OTLP = "otlp";
  private static final String NONE = "none";

  private boolean customizes;

  public ContextPropagationOnly() {
    super(ElasticSettings.CONTEXT_PROPAGATION_ONLY);
  }

  /** Runs late, but before the sample rate is read, which must be this sampler's. */
  @Override
  public int order() {
    return Integer.MAX_VALUE - 2;
  }

  @Override
  protected void addTo(AutoConfigurationCustomizer sdk) {
    BiFunction<Map<String, String>, ConfigProperties, Map<String, String>> withoutOtlp =
        safely((none, properties) -> isOn(properties) ? exportersWithoutOtlp(properties) : none);
    sdk.addPropertiesCustomizer(
        properties -> withoutOtlp.apply(Collections.emptyMap(), properties));
    sdk.addResourceCustomizer(
        safely(
            (resource, properties) -> {
              // Unless it is on, loads nothing more.
              if (isOn(properties) && !customizes) {
                customizes = true; // a builder may build several SDKs
                sdk.addSamplerCustomizer(ifOn(PassingSampler::new));
                sdk.addTracerProviderCustomizer(ifOn(ContextPropagationOnly::withProcessor));
                sdk.addPropagatorCustomizer(ifOn(SampledFlagPropagator::new));
              }
              return resource;
            }));
  }

  private static Map<String, String> exportersWithoutOtlp(ConfigProperties properties) {
    Map<String, String> exporters = new HashMap<>();
    for (String property :
        Arrays.asList("otel.traces.exporter", "otel.metrics.exporter", "otel.logs.exporter")) {
      Set<String> others = new LinkedHashSet<>(properties.getList(property));
      others.remove(OTLP);
      exporters.put(property, others.isEmpty() ? NONE : String.join(",", others));
    }
    return exporters;
  }

  /** Adds a processor that does nothing: without any processor, the SDK does not start traces. */
  private static SdkTracerProviderBuilder withProcessor(SdkTracerProviderBuilder tracing) {
    return tracing.addSpanProcessor(new IdleProcessor());
  }

  private <T> BiFunction<T, ConfigProperties, T> ifOn(UnaryOperator<T> customizer) {
    return safely(
        (customized, properties) -> isOn(properties) ? customizer.apply(customized) : customized);
  }

  private static boolean isOn(ConfigProperties properties) {
    return ElasticSettings.isTrue(properties, ElasticSettings.CONTEXT_PROPAGATION_ONLY);
  }

  private static final class IdleProcessor implements SpanProcessor {
    @Override
    public void onStart(Context parentContext, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
      return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {}

    @Override
    public boolean isEndRequired() {
      return false;
    }
  }
}
