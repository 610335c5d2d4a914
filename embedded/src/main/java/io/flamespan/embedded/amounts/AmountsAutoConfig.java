/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.amounts;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.internal.autoconfigure.ServiceFiles;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.config.Switch;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.samples.EmbeddedVersion;
import io.flamespan.correlation.internal.telemetry.OwnMetrics;
import io.flamespan.embedded.SampleKind;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.metrics.SdkMeterProviderBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts allocation and waiting in an autoconfigured SDK if the settings ask for that. */
public final class AmountsAutoConfig implements AutoConfigurationCustomizerProvider {
  private volatile Resource resource = Resource.empty();
  private volatile @Nullable AmountMetrics counted; // of the SDK that is being configured

  /** Runs before the plug-in, which learns of all span processors, and after others. */
  @Override
  public int order() {
    return Integer.MAX_VALUE - 1;
  }

  @Override
  public void customize(AutoConfigurationCustomizer sdk) {
    if (isOfAnotherVersion()) {
      return;
    }
    ServiceFiles.check(
        AmountsAutoConfig.class,
        Collections.singletonMap(ServiceFiles.OF_THE_SDK, ServiceFiles.ENTRY));
    sdk.addResourceCustomizer(
        (complete, properties) -> {
          resource = complete;
          counted = null;
          return complete;
        });
    sdk.addMeterProviderCustomizer(this::addMetrics);
    sdk.addTracerProviderCustomizer(this::addProcessor);
  }

  /** Returns whether the plug-in is, and says so. */
  private static boolean isOfAnotherVersion() {
    try {
      return EmbeddedVersion.difference() != null;
    } catch (LinkageError e) {
      return true; // there is no such class
    }
  }

  private SdkMeterProviderBuilder addMetrics(
      SdkMeterProviderBuilder metering, ConfigProperties properties) {
    List<String> names = Settings.SAMPLES_METRIC_ATTRIBUTES.valueIn(properties::getString);
    List<String> events = Settings.EMBEDDED_PROFILER_EVENTS.valueIn(properties::getString);
    if (names.isEmpty()
        || Collections.disjoint(SampleKind.of(events), SampleKind.OF_METRICS)
        || Settings.EMBEDDED_PROFILER.valueIn(properties::getString) == Switch.OFF) {
      return metering;
    }
    try {
      Amounts amounts = new Amounts();
      OwnMetrics metrics =
          new OwnMetrics(resource, meters -> counted = new AmountMetrics(amounts, names, meters));
      metrics.create();
      return metering.registerMetricProducer(metrics);
    } catch (Throwable e) {
      Trouble.warn(AmountsAutoConfig.class, "There are no metrics of allocation and waiting", e);
      return metering;
    }
  }

  private SdkTracerProviderBuilder addProcessor(
      SdkTracerProviderBuilder tracing, ConfigProperties properties) {
    AmountMetrics prepared = counted;
    if (prepared == null) {
      return tracing;
    }
    prepared.begin();
    return tracing.addSpanProcessor(ProfilingCorrelation.correlate(prepared));
  }
}
