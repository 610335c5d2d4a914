/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.autoconfigure;

import io.otelprofiling.correlation.ProfilingCorrelation;
import io.otelprofiling.correlation.internal.runtime.Correlator;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import java.util.function.BiFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Adds the plug-in to every SDK that is autoconfigured with this class on its class path. */
public final class ProfilingCorrelationAutoConfig implements AutoConfigurationCustomizerProvider {
  private static final Logger logger =
      Logger.getLogger(ProfilingCorrelationAutoConfig.class.getName());

  static {
    ProfilingCorrelation.registerContextStorage();
  }

  // Of the SDK that is being configured.
  private @Nullable ProfilingCorrelation correlation;

  /** Last: the resource and the processors that others customized are the ones to work with. */
  @Override
  public int order() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void customize(AutoConfigurationCustomizer sdk) {
    sdk.addResourceCustomizer(safely(this::prepare));
    sdk.addMeterProviderCustomizer(served(ProfilingCorrelation::addTo));
    sdk.addSpanExporterCustomizer(served(ProfilingCorrelation::withHostId));
    sdk.addMetricExporterCustomizer(served(ProfilingCorrelation::withHostId));
    sdk.addLogRecordExporterCustomizer(served(ProfilingCorrelation::withHostId));
    sdk.addSpanProcessorCustomizer(served(ProfilingCorrelationAutoConfig::delaying));
    sdk.addTracerProviderCustomizer(served(ProfilingCorrelation::addTo));
  }

  private Resource prepare(Resource resource, ConfigProperties properties) {
    correlation = null;
    correlation =
        new ProfilingCorrelation(
            new Correlator(CorrelationConfig.read(properties::getString), resource));
    return resource;
  }

  private static SpanProcessor delaying(ProfilingCorrelation correlation, SpanProcessor processor) {
    Correlator correlator = correlation.correlator();
    return correlator.isOff() || !processor.isEndRequired()
        ? processor
        : correlator.delaying(processor);
  }

  private <T> BiFunction<T, ConfigProperties, T> served(
      BiFunction<ProfilingCorrelation, T, T> customizer) {
    return safely(
        (customized, properties) -> {
          ProfilingCorrelation correlation = this.correlation;
          return correlation == null ? customized : customizer.apply(correlation, customized);
        });
  }

  private static <T> BiFunction<T, ConfigProperties, T> safely(
      BiFunction<T, ConfigProperties, T> customizer) {
    return (customized, properties) -> {
      try {
        return customizer.apply(customized, properties);
      } catch (Throwable e) {
        logger.log(Level.WARNING, "Profiling correlation is off or incomplete", e);
        return customized;
      }
    };
  }
}
