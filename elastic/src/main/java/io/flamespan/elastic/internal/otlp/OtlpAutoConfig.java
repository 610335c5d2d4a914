/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.internal.settings.Feature;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.resources.Resource;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies the settings to the OTLP exporters of every autoconfigured SDK. Called only by the SDK.
 */
public final class OtlpAutoConfig extends Feature {
  // Belongs to the SDK that is being configured.
  private @Nullable OtlpConfig config;

  public OtlpAutoConfig() {
    super("elastic.otel.transport.*");
  }

  /** Runs first, because an exporter that other customizers have wrapped cannot be replaced. */
  @Override
  public int order() {
    return Integer.MIN_VALUE;
  }

  @Override
  protected void addTo(AutoConfigurationCustomizer sdk) {
    sdk.addResourceCustomizer(safely(this::prepare));
    sdk.addSpanExporterCustomizer(customizer(() -> Traces::new));
    sdk.addMetricExporterCustomizer(customizer(() -> Metrics::new));
    sdk.addLogRecordExporterCustomizer(customizer(() -> Logs::new));
  }

  private Resource prepare(Resource resource, ConfigProperties properties) {
    config = null;
    OtlpConfig read = OtlpConfig.read(properties, resource);
    config = read.changesExporters() ? read : null;
    return resource;
  }

  /**
   * Without a setting, loads no classes of the OTLP exporters: some applications lack them.
   *
   * @param signal supplies the constructor, which would be loaded already here otherwise
   */
  private <E, T> BiFunction<E, ConfigProperties, E> customizer(
      Supplier<Supplier<Signal<E, T>>> signal) {
    return (exporter, properties) -> {
      OtlpConfig prepared = config;
      try {
        return prepared == null
            ? exporter
            : new ExporterCustomizer<>(signal.get().get()).apply(exporter, prepared, properties);
      } catch (Throwable e) {
        ElasticSettings.warn("elastic.otel.transport.* has no effect on " + exporter, e);
        return exporter;
      }
    };
  }
}
