/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.inference;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.otelprofiling.elastic.internal.settings.ElasticSettings;
import io.otelprofiling.elastic.internal.settings.SupportedSdk;

/** Wraps the span exporters of an autoconfigured SDK for the inference. Called only by the SDK. */
public final class InferenceAutoConfig implements AutoConfigurationCustomizerProvider {
  private boolean enabled; // belongs to the SDK that is being configured
  private boolean customizes;

  /** Runs last, so that it sees the spans before the wrappers of other customizers change them. */
  @Override
  public int order() {
    return Integer.MAX_VALUE;
  }

  /**
   * Reads the setting when the resource is customized. The SDK does that first and once, so that an
   * invalid value is logged once for any number of exporters.
   */
  @Override
  public void customize(AutoConfigurationCustomizer sdk) {
    try {
      if (!SupportedSdk.isSupported()) {
        return;
      }
      sdk.addResourceCustomizer(
          (resource, properties) -> {
            readSetting(sdk, properties);
            return resource;
          });
    } catch (Throwable e) {
      failed(e);
    }
  }

  private void readSetting(AutoConfigurationCustomizer sdk, ConfigProperties properties) {
    enabled = false;
    try {
      enabled = ElasticSettings.flag(properties, ElasticSettings.SPAN_INFERENCE_ENABLED);
      if (enabled && !customizes) {
        customizes = true; // a builder may build several SDKs
        sdk.addSpanExporterCustomizer(this::inferring);
      }
    } catch (Throwable e) {
      failed(e);
    }
  }

  /** Does not wrap the SDK's no-op exporter: older SDKs create a processor for any other. */
  private SpanExporter inferring(SpanExporter exporter, ConfigProperties properties) {
    try {
      return enabled && exporter != SpanExporter.composite()
          ? new InferringSpanExporter(exporter)
          : exporter;
    } catch (Throwable e) {
      failed(e);
      return exporter;
    }
  }

  private static void failed(Throwable e) {
    ElasticSettings.warn(
        ElasticSettings.SPAN_INFERENCE_ENABLED
            + " has no effect. Remove the setting if this line appears again.",
        e);
  }
}
