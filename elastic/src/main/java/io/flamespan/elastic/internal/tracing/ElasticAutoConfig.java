/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.internal.settings.Feature;
import io.flamespan.elastic.internal.settings.WildcardMatcher;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.List;

/** Adds the sampler and the span processor of this package to the SDK. Called only by the SDK. */
public final class ElasticAutoConfig extends Feature {
  private boolean customizes;

  public ElasticAutoConfig() {
    super(ElasticSettings.SAMPLE_RATE_ENABLED + " or " + ElasticSettings.BAGGAGE_TO_ATTACH);
  }

  /** Runs late, so that it receives the sampler that other customizers have changed. */
  @Override
  public int order() {
    return Integer.MAX_VALUE - 1; // before Flamespan, whose sampler must be the last
  }

  @Override
  protected void addTo(AutoConfigurationCustomizer sdk) {
    sdk.addResourceCustomizer(
        safely(
            (resource, properties) -> {
              // Without a setting, loads nothing more.
              if (!customizes
                  && ElasticSettings.isAnySet(
                      properties,
                      ElasticSettings.SAMPLE_RATE_ENABLED,
                      ElasticSettings.BAGGAGE_TO_ATTACH)) {
                customizes = true; // a builder may build several SDKs
                sdk.addSamplerCustomizer(
                    safely(ElasticSettings.SAMPLE_RATE_ENABLED, ElasticAutoConfig::withSampleRate));
                sdk.addTracerProviderCustomizer(
                    safely(ElasticSettings.BAGGAGE_TO_ATTACH, ElasticAutoConfig::withBaggage));
              }
              return resource;
            }));
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
}
