/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.SdkMeterProviderBuilder;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.otelprofiling.correlation.internal.config.ActivationMode;
import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.hostid.HostIdLogRecordExporter;
import io.otelprofiling.correlation.internal.hostid.HostIdMetricExporter;
import io.otelprofiling.correlation.internal.hostid.HostIdSpanExporter;
import io.otelprofiling.correlation.internal.hostid.ProfilerHostId;
import java.util.function.BiFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Adds the plug-in to every SDK that is autoconfigured with this class on its class path. */
public final class ProfilingCorrelationAutoConfig implements AutoConfigurationCustomizerProvider {
  private static final Logger logger =
      Logger.getLogger(ProfilingCorrelationAutoConfig.class.getName());

  private static final AttributeKey<String> HOST_ID = AttributeKey.stringKey("host.id");

  static {
    ProfilingCorrelation.registerContextStorage();
  }

  // Of the SDK that is being configured; null while the plug-in is off.
  private @Nullable ProfilingCorrelation correlation;
  private @Nullable ProfilerHostId missingHostId;

  /** Last: the resource and the processors that others customized are the ones to work with. */
  @Override
  public int order() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void customize(AutoConfigurationCustomizer sdk) {
    sdk.addResourceCustomizer(safely(this::prepare));
    sdk.addMeterProviderCustomizer(safely(this::withMetrics));
    sdk.addSpanExporterCustomizer(safely(this::withHostId));
    sdk.addMetricExporterCustomizer(safely(this::withHostId));
    sdk.addLogRecordExporterCustomizer(safely(this::withHostId));
    sdk.addSpanProcessorCustomizer(safely(this::delaying));
    sdk.addTracerProviderCustomizer(safely(this::start));
  }

  private Resource prepare(Resource resource, ConfigProperties properties) {
    correlation = null;
    missingHostId = null;
    CorrelationConfig config = CorrelationConfig.read(properties::getString);
    ProfilingCorrelation.wantContextStorage(config.mode() != ActivationMode.FALSE);
    if (config.mode() != ActivationMode.FALSE) {
      ProfilerHostId hostId = new ProfilerHostId(resource.getAttribute(HOST_ID));
      correlation = new ProfilingCorrelation(config, resource, hostId);
      missingHostId = hostId.isMissing() ? hostId : null;
    }
    return resource;
  }

  private SdkMeterProviderBuilder withMetrics(
      SdkMeterProviderBuilder builder, ConfigProperties unused) {
    return correlation == null ? builder : builder.registerMetricProducer(correlation.metrics());
  }

  private SpanExporter withHostId(SpanExporter exporter, ConfigProperties unused) {
    return missingHostId == null ? exporter : new HostIdSpanExporter(exporter, missingHostId);
  }

  private MetricExporter withHostId(MetricExporter exporter, ConfigProperties unused) {
    return missingHostId == null ? exporter : new HostIdMetricExporter(exporter, missingHostId);
  }

  private LogRecordExporter withHostId(LogRecordExporter exporter, ConfigProperties unused) {
    return missingHostId == null ? exporter : new HostIdLogRecordExporter(exporter, missingHostId);
  }

  private SpanProcessor delaying(SpanProcessor processor, ConfigProperties unused) {
    return correlation == null || !processor.isEndRequired()
        ? processor
        : correlation.delaying(processor);
  }

  private SdkTracerProviderBuilder start(
      SdkTracerProviderBuilder builder, ConfigProperties unused) {
    if (correlation != null && correlation.start()) {
      builder.addSpanProcessor(correlation.tracker());
    }
    return builder;
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
