/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.otlp;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.elastic.internal.settings.ElasticSettings;
import io.otelprofiling.elastic.internal.settings.SupportedSdk;
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
public final class ContextPropagationOnly implements AutoConfigurationCustomizerProvider {
  private static final String OTLP = "otlp";
  private static final String NONE = "none";

  private boolean customizes;

  /** Runs late, but before the sample rate is read, which must be that of this sampler. */
  @Override
  public int order() {
    return Integer.MAX_VALUE - 2;
  }

  @Override
  public void customize(AutoConfigurationCustomizer sdk) {
    try {
      if (!SupportedSdk.isSupported()) {
        return;
      }
      sdk.addPropertiesCustomizer(ContextPropagationOnly::withoutOtlp);
      sdk.addResourceCustomizer(
          (resource, properties) -> {
            addCustomizers(sdk, properties);
            return resource;
          });
    } catch (Throwable e) {
      warn(e);
    }
  }

  /** Unless it is on, loads nothing more. The SDK customizes the resource before all of these. */
  private void addCustomizers(AutoConfigurationCustomizer sdk, ConfigProperties properties) {
    try {
      if (isOn(properties) && !customizes) {
        customizes = true; // a builder may build several SDKs
        sdk.addSamplerCustomizer(ifOn(PassingSampler::new));
        sdk.addTracerProviderCustomizer(ifOn(ContextPropagationOnly::withProcessor));
        sdk.addPropagatorCustomizer(ifOn(SampledFlagPropagator::new));
      }
    } catch (Throwable e) {
      warn(e);
    }
  }

  private static Map<String, String> withoutOtlp(ConfigProperties properties) {
    try {
      return isOn(properties)
          ? Collections.unmodifiableMap(exportersWithoutOtlp(properties))
          : Collections.emptyMap();
    } catch (Throwable e) {
      warn(e);
      return Collections.emptyMap();
    }
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

  private static <T> BiFunction<T, ConfigProperties, T> ifOn(UnaryOperator<T> customizer) {
    return (customized, properties) -> {
      try {
        return isOn(properties) ? customizer.apply(customized) : customized;
      } catch (Throwable e) {
        warn(e);
        return customized;
      }
    };
  }

  private static boolean isOn(ConfigProperties properties) {
    return ElasticSettings.isTrue(properties, ElasticSettings.CONTEXT_PROPAGATION_ONLY);
  }

  private static void warn(Throwable e) {
    ElasticSettings.warn(
        ElasticSettings.CONTEXT_PROPAGATION_ONLY
            + " has no effect, or only part of it. Remove the setting if this line appears again.",
        e);
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
