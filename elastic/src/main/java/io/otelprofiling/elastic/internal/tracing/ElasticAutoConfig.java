/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.tracing;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.otelprofiling.elastic.internal.settings.ElasticSettings;
import io.otelprofiling.elastic.internal.settings.SupportedSdk;
import io.otelprofiling.elastic.internal.settings.WildcardMatcher;
import java.util.List;
import java.util.function.BiFunction;

/** Adds the sampler and the span processor of this package to the SDK. Called only by the SDK. */
public final class ElasticAutoConfig implements AutoConfigurationCustomizerProvider {
  private boolean customizes;

  /** Runs late, so that it receives the sampler that other customizers have changed. */
  @Override
  public int order() {
    return Integer.MAX_VALUE - 1; // before profiling correlation, whose sampler must be the last
  }

  @Override
  public void customize(AutoConfigurationCustomizer sdk) {
    try {
      if (!SupportedSdk.isSupported()) {
        return;
      }
      sdk.addResourceCustomizer(
          (resource, properties) -> {
            addCustomizers(sdk, properties);
            return resource;
          });
    } catch (Throwable e) {
      failed(e);
    }
  }

  /** Without a setting, loads nothing more. The SDK customizes the resource before all others. */
  private void addCustomizers(AutoConfigurationCustomizer sdk, ConfigProperties properties) {
    try {
      if (!customizes
          && ElasticSettings.isAnySet(
              properties, ElasticSettings.SAMPLE_RATE_ENABLED, ElasticSettings.BAGGAGE_TO_ATTACH)) {
        customizes = true; // a builder may build several SDKs
        sdk.addSamplerCustomizer(
            safely(ElasticSettings.SAMPLE_RATE_ENABLED, ElasticAutoConfig::withSampleRate));
        sdk.addTracerProviderCustomizer(
            safely(ElasticSettings.BAGGAGE_TO_ATTACH, ElasticAutoConfig::withBaggage));
      }
    } catch (Throwable e) {
      failed(e);
    }
  }

  private static void failed(Throwable e) {
    ElasticSettings.warn("The settings for services with Elastic's agent have no effect", e);
  }

  private static Sampler withSampleRate(Sampler sampler, ConfigProperties properties) {
    if (!ElasticSettings.flag(properties, ElasticSettings.SAMPLE_RATE_ENABLED)) {
      return sampler;
    }
    String rate = SampleRate.of(sampler, properties);
    if (rate == null) {
      ElasticSettings.warn(
          ElasticSettings.SAMPLE_RATE_ENABLED
              + "=true has no effect, because the rate of the sampler "
              + sampler.getDescription()
              + " is unknown. Set otel.traces.sampler to always_on, always_off or traceidratio,"
              + " with or without the prefix parentbased_, and do not customize the sampler.",
          null);
      return sampler;
    }
    return new SampleRateSampler(sampler, rate);
  }

  private static SdkTracerProviderBuilder withBaggage(
      SdkTracerProviderBuilder tracing, ConfigProperties properties) {
    List<WildcardMatcher> keys =
        ElasticSettings.matchers(properties, ElasticSettings.BAGGAGE_TO_ATTACH);
    return keys.isEmpty() ? tracing : tracing.addSpanProcessor(new BaggageAttributes(keys));
  }

  private static <T> BiFunction<T, ConfigProperties, T> safely(
      String property, BiFunction<T, ConfigProperties, T> customizer) {
    return (customized, properties) -> {
      try {
        return customizer.apply(customized, properties);
      } catch (Throwable e) {
        ElasticSettings.warn(
            property + " has no effect. Remove the setting if this line appears again.", e);
        return customized;
      }
    };
  }
}
