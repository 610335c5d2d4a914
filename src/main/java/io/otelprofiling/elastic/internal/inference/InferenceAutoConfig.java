/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.inference;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.otelprofiling.elastic.internal.settings.ElasticSettings;

/** Adds the inference to each span exporter of an autoconfigured SDK. Called by the SDK only. */
public final class InferenceAutoConfig implements AutoConfigurationCustomizerProvider {
  private boolean enabled; // belongs to the SDK that is being configured

  /** Runs last, so that it sees the spans before exporters of others change them. */
  @Override
  public int order() {
    return Integer.MAX_VALUE;
  }

  /**
   * Reads the setting as the resource is customized, which the SDK does before all else and once,
   * so that a wrong value is one log line for any number of exporters.
   */
  @Override
  public void customize(AutoConfigurationCustomizer sdk) {
    try {
      sdk.addResourceCustomizer(this::readSetting);
      sdk.addSpanExporterCustomizer(this::inferring);
    } catch (Throwable e) {
      failed(e);
    }
  }

  private Resource readSetting(Resource resource, ConfigProperties properties) {
    enabled = false;
    try {
      enabled = ElasticSettings.flag(properties, ElasticSettings.SPAN_INFERENCE_ENABLED);
    } catch (Throwable e) {
      failed(e);
    }
    return resource;
  }

  /** Leaves the SDK's exporter for none, as older SDKs make a processor for any other. */
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
            + " has no effect. Remove it if this line comes again.",
        e);
  }
}
