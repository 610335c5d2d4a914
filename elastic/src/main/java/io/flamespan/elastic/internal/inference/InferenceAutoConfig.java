/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.internal.settings.Feature;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.trace.export.SpanExporter;

/** Wraps the span exporters of an autoconfigured SDK for the inference. Called only by the SDK. */
public final class InferenceAutoConfig extends Feature {
  private boolean enabled; // belongs to the SDK that is being configured
  private boolean customizes;

  public InferenceAutoConfig() {
    super(ElasticSettings.SPAN_INFERENCE_ENABLED);
  }

  /** Runs last, so that it sees the spans before the wrappers of other customizers change them. */
  @Override
  public int order() {
    return Integer.MAX_VALUE;
  }

  /** An invalid value is logged once for any number of exporters. */
  @Override
  protected void addTo(AutoConfigurationCustomizer sdk) {
    sdk.addResourceCustomizer(
        safely(
            (resource, properties) -> {
              enabled = false;
              enabled = ElasticSettings.flag(properties, ElasticSettings.SPAN_INFERENCE_ENABLED);
              if (enabled && !customizes) {
                customizes = true; // a builder may build several SDKs
                sdk.addSpanExporterCustomizer(safely(this::inferring));
              }
              return resource;
            }));
  }

  /** Does not wrap the SDK's no-op exporter: older SDKs create a processor for any other. */
  private SpanExporter inferring(SpanExporter exporter, ConfigProperties properties) {
    return enabled && exporter != SpanExporter.composite()
        ? new InferringSpanExporter(exporter)
        : exporter;
  }
}
