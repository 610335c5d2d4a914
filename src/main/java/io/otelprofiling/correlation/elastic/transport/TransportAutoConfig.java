/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.elastic.transport;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.elastic.settings.ElasticSettings;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Changes the OTLP exporters of every autoconfigured SDK as the settings say. */
public final class TransportAutoConfig implements AutoConfigurationCustomizerProvider {
  // Belongs to the SDK that is being configured.
  private @Nullable TransportConfig config;

  /** Runs first, because an exporter that others have wrapped could not be changed any more. */
  @Override
  public int order() {
    return Integer.MIN_VALUE;
  }

  /** Reads the settings in the resource customizer, which the SDK calls before all others. */
  @Override
  public void customize(AutoConfigurationCustomizer sdk) {
    try {
      sdk.addResourceCustomizer(this::prepare);
      sdk.addSpanExporterCustomizer(customizer(new Traces()));
      sdk.addMetricExporterCustomizer(customizer(new Metrics()));
      sdk.addLogRecordExporterCustomizer(customizer(new Logs()));
    } catch (Throwable e) {
      ElasticSettings.warn("The settings of elastic.otel.transport have no effect", e);
    }
  }

  private Resource prepare(Resource resource, ConfigProperties properties) {
    config = null;
    try {
      TransportConfig read = TransportConfig.read(properties, resource);
      config = read.changesExporters() ? read : null;
    } catch (Throwable e) {
      ElasticSettings.warn("The settings of elastic.otel.transport have no effect", e);
    }
    return resource;
  }

  private <E, T> BiFunction<E, ConfigProperties, E> customizer(Signal<E, T> signal) {
    ExporterCustomizer<E, T> customizer = new ExporterCustomizer<>(signal);
    return (exporter, properties) -> {
      TransportConfig prepared = config;
      try {
        return prepared == null ? exporter : customizer.apply(exporter, prepared, properties);
      } catch (Throwable e) {
        ElasticSettings.warn(
            "The settings of elastic.otel.transport have no effect on " + signal.kind(), e);
        return exporter;
      }
    };
  }
}
