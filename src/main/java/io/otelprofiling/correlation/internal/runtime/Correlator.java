/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.config.StatusProperty;
import io.otelprofiling.correlation.internal.config.Switch;
import io.otelprofiling.correlation.internal.hostid.ProfilerHostId;
import io.otelprofiling.correlation.internal.log.Trouble;
import io.otelprofiling.correlation.internal.telemetry.OwnMetrics;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * The plug-in of one SDK, and what it adds to the SDK. Before the start and after the stop, its
 * processors pass all spans on immediately.
 */
public final class Correlator {
  /** The log line of a plug-in that does not run, with a place for the reason. */
  static final String OFF = "Profiling correlation is off: {0}.";

  private final Parts parts;
  private final Lifecycle lifecycle;

  private Correlator(CorrelationConfig config, Resource resource) {
    this.parts = new Parts(config, resource, this::stop);
    this.lifecycle = new Lifecycle(parts);
  }

  /**
   * Returns the plug-in of one SDK, or null if the settings turn it off. Callers then wrap nothing.
   * Reports why it is off, in the log and as a system property. Where the user has chosen that, it
   * loads none of the parts.
   */
  public static @Nullable Correlator unlessOff(CorrelationConfig config, Resource resource) {
    boolean on = config.mode() != Switch.OFF;
    SharedContextStorage.setWanted(on);
    if (config.isDisabled()) {
      StatusProperty.showOff(config.disabledReason());
      Trouble.log(Correlator.class, Level.FINE, OFF, config.disabledReason());
      return null;
    }
    Correlator correlator = new Correlator(config, resource);
    if (!on) {
      correlator.parts.status.staysOff(config.disabledLevel(), config.disabledReason());
    }
    return on ? correlator : null;
  }

  /** Returns the host id announced by profilers. */
  public ProfilerHostId hostId() {
    return parts.hostId;
  }

  /**
   * Wraps a processor before the start, so that it receives local root spans after their stack
   * traces have arrived.
   *
   * @param queueSize the size of the processor's queue, or 0 if it is not known
   */
  public SpanProcessor delaying(SpanProcessor downstream, int queueSize) {
    return parts.processors.delaying(downstream, queueSize);
  }

  /** Wraps a processor while the plug-in runs, and starts the wrapper. */
  public SpanProcessor delayingFromNowOn(SpanProcessor downstream) {
    return lifecycle.delayingFromNowOn(downstream);
  }

  /**
   * Returns the processor that must see all spans of the SDK. The SDK must shut it down after the
   * delaying processors.
   */
  public LocalRootTracker tracker() {
    return parts.tracker;
  }

  /** Returns a producer through which metric readers export the plug-in's counts. */
  public MetricProducer metrics() {
    OwnMetrics metrics = new OwnMetrics(parts.resource, this::count);
    if (parts.sampleMetric != null) {
      metrics.create(); // samples must count before the first collection
    }
    return metrics;
  }

  /** Registers the plug-in's counts with this meter provider. */
  public void count(MeterProvider meters) {
    parts.counts.register(meters, parts.sampleMetric);
  }

  /**
   * Starts all parts. The plug-in then serves its SDK until {@link #stop}.
   *
   * @return false, after one log line, if the plug-in cannot run here; everything then stays off
   */
  public boolean start() {
    return lifecycle.start();
  }

  /**
   * Like {@link #start}, for an SDK that the calling thread is configuring. If that fails before
   * the tracer provider is built, the next SDK that starts takes over.
   */
  public boolean startDuringConfiguration() {
    return lifecycle.startDuringConfiguration();
  }

  /**
   * Returns a further processor for all spans of the SDK, which may do nothing. Belongs before
   * {@link #tracker}.
   */
  public SpanProcessor recorder() {
    return RecordedSpans.processor(parts);
  }

  /** Makes the started plug-in follow the spans of the provider that this builder builds. */
  public void follow(SdkTracerProviderBuilder tracing) {
    try {
      // The SDK asks several processors what they require when it builds the provider, and a single
      // one later. So there are two even if the first one does nothing.
      tracing.addSpanProcessor(recorder()).addSpanProcessor(parts.tracker);
    } catch (Throwable e) {
      CompletableResultCode unused = stop(); // nothing else would
      throw e;
    }
  }

  /** Stops all started parts. The result always completes. Never throws. */
  public CompletableResultCode stop() {
    return lifecycle.stop();
  }
}
