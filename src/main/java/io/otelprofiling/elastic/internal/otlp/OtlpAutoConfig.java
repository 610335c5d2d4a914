/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.otlp;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.internal.requirements.OpenTelemetryVersion;
import io.otelprofiling.elastic.internal.settings.ElasticSettings;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies the settings to the OTLP exporters of every autoconfigured SDK. Called only by the SDK.
 */
public final class OtlpAutoConfig implements AutoConfigurationCustomizerProvider {
  // Belongs to the SDK that is being configured.
  private @Nullable OtlpConfig config;

  /** Runs first, because an exporter that other customizers have wrapped cannot be replaced. */
  @Override
  public int order() {
    return Integer.MIN_VALUE;
  }

  /** Reads the settings in the resource customizer, which the SDK calls before all others. */
  @Override
  public void customize(AutoConfigurationCustomizer sdk) {
    if (!OpenTelemetryVersion.isSupported()) {
      return;
    }
    try {
      sdk.addResourceCustomizer(this::prepare);
      // Without a setting, loads no classes of the OTLP exporters: some applications lack them.
      sdk.addSpanExporterCustomizer(
          (exporter, properties) ->
              config == null ? exporter : customized(exporter, config, properties, Traces::new));
      sdk.addMetricExporterCustomizer(
          (exporter, properties) ->
              config == null ? exporter : customized(exporter, config, properties, Metrics::new));
      sdk.addLogRecordExporterCustomizer(
          (exporter, properties) ->
              config == null ? exporter : customized(exporter, config, properties, Logs::new));
    } catch (Throwable e) {
      ElasticSettings.warn("The settings of elastic.otel.transport have no effect", e);
    }
  }

  private Resource prepare(Resource resource, ConfigProperties properties) {
    config = null;
    try {
      OtlpConfig read = OtlpConfig.read(properties, resource);
      config = read.changesExporters() ? read : null;
    } catch (Throwable e) {
      ElasticSettings.warn("The settings of elastic.otel.transport have no effect", e);
    }
    return resource;
  }

  private static <E, T> E customized(
      E exporter, OtlpConfig config, ConfigProperties properties, Supplier<Signal<E, T>> signal) {
    try {
      return new ExporterCustomizer<>(signal.get()).apply(exporter, config, properties);
    } catch (Throwable e) {
      ElasticSettings.warn(
          "The settings of elastic.otel.transport have no effect on " + exporter, e);
      return exporter;
    }
  }
}
