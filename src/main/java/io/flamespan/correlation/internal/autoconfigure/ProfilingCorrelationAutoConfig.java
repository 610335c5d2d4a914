/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.autoconfigure;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.StatusProperty;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.requirements.OpenTelemetryVersion;
import io.flamespan.correlation.internal.requirements.OwnPermissions;
import io.flamespan.correlation.internal.runtime.Correlator;
import io.flamespan.correlation.internal.runtime.RunningPlugin;
import io.flamespan.correlation.internal.runtime.SharedContextStorage;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.function.BiFunction;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/** Adds the plug-in to every autoconfigured SDK that has this class on its class path. */
public final class ProfilingCorrelationAutoConfig implements AutoConfigurationCustomizerProvider {
  // Old versions of the SDK make batches that are larger than the queue.
  private static final String QUEUE_SIZE = "otel.bsp.max.queue.size";
  private static final int DEFAULT_QUEUE_SIZE = 2_048; // of the SDK
  private static final boolean USABLE = registerContextStorage();

  // Belongs to the SDK that was configured last. Null before the first one, or if the plug-in is
  // off.
  private @Nullable Correlator correlator;
  private boolean warned; // for the same SDK
  private boolean customizes;

  /**
   * Runs last, so that the plug-in sees the resource, sampler and processors that other customizers
   * have left.
   */
  @Override
  public int order() {
    return Integer.MAX_VALUE;
  }

  /**
   * Treats the resource customizer as the start of a new SDK: the SDK calls it before all other
   * customizers, once per configuration.
   */
  @Override
  public void customize(AutoConfigurationCustomizer sdk) {
    if (USABLE) {
      try {
        sdk.addResourceCustomizer(
            safely((resource, properties) -> prepare(sdk, resource, properties)));
      } catch (Throwable e) {
        log(Level.WARNING, e);
      }
    }
  }

  /**
   * Returns false, after one log line, if the SDK is too old or the registration fails. An
   * exception would leave a class that cannot be initialized, and the configuration of the SDK
   * would fail with it.
   */
  private static boolean registerContextStorage() {
    try {
      if (!OpenTelemetryVersion.isSupported()) {
        StatusProperty.showOff(OpenTelemetryVersion.UNSUPPORTED);
        return false;
      }
      SharedContextStorage.register();
      return true;
    } catch (Throwable e) {
      log(Level.WARNING, e);
      return false;
    }
  }

  /**
   * Adds the other customizers only when the plug-in is known to be on. Other extensions have added
   * theirs by then: a sampler that replaced ours would hide it.
   */
  private void addCustomizers(AutoConfigurationCustomizer sdk) {
    sdk.addSamplerCustomizer(ifPrepared((plugin, sampler) -> RunningPlugin.wrap(sampler)));
    sdk.addMeterProviderCustomizer(
        ifPrepared((plugin, metering) -> metering.registerMetricProducer(plugin.metrics())));
    sdk.addSpanExporterCustomizer(
        ifPrepared((plugin, exporter) -> plugin.hostId().addTo(exporter)));
    sdk.addMetricExporterCustomizer(
        ifPrepared((plugin, exporter) -> plugin.hostId().addTo(exporter)));
    sdk.addLogRecordExporterCustomizer(
        ifPrepared((plugin, exporter) -> plugin.hostId().addTo(exporter)));
    sdk.addSpanProcessorCustomizer(safely(this::delaying));
    sdk.addTracerProviderCustomizer(ifPrepared(ProfilingCorrelationAutoConfig::start));
  }

  private Resource prepare(
      AutoConfigurationCustomizer sdk, Resource resource, ConfigProperties properties) {
    correlator = null;
    warned = false;
    correlator =
        Correlator.unlessOff(
            CorrelationConfig.read(properties::getString, OwnPermissions.missing()), resource);
    if (correlator != null && !customizes) {
      customizes = true; // a builder may build several SDKs
      addCustomizers(sdk);
    }
    return resource;
  }

  private SpanProcessor delaying(SpanProcessor processor, ConfigProperties properties) {
    Correlator prepared = correlator;
    return prepared != null && processor.isEndRequired()
        ? prepared.delaying(processor, properties.getInt(QUEUE_SIZE, DEFAULT_QUEUE_SIZE))
        : processor;
  }

  private static SdkTracerProviderBuilder start(
      Correlator correlator, SdkTracerProviderBuilder tracing) {
    if (correlator.startDuringConfiguration()) {
      correlator.follow(tracing);
    }
    return tracing;
  }

  private <T> BiFunction<T, ConfigProperties, T> ifPrepared(
      BiFunction<Correlator, T, T> customizer) {
    return safely(
        (customized, properties) -> {
          Correlator prepared = correlator;
          return prepared == null ? customized : customizer.apply(prepared, customized);
        });
  }

  private <T> BiFunction<T, ConfigProperties, T> safely(
      BiFunction<T, ConfigProperties, T> customizer) {
    return (customized, properties) -> {
      try {
        return customizer.apply(customized, properties);
      } catch (Throwable e) {
        // A failure in one customizer, such as a missing class, also occurs in others.
        log(warned ? Level.FINE : Level.WARNING, e);
        warned = true;
        return customized;
      }
    };
  }

  private static void log(Level level, Throwable e) {
    Trouble.log(ProfilingCorrelationAutoConfig.class, level, "Flamespan is off or incomplete", e);
    StatusProperty.showOff("it has failed: " + e);
  }
}
