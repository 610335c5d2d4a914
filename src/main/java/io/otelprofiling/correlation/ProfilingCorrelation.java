/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation;

import io.otelprofiling.correlation.internal.runtime.Correlator;

import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.SdkMeterProviderBuilder;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.otelprofiling.correlation.internal.hostid.HostIdLogRecordExporter;
import io.otelprofiling.correlation.internal.hostid.HostIdMetricExporter;
import io.otelprofiling.correlation.internal.hostid.HostIdSpanExporter;
import io.otelprofiling.correlation.internal.hostid.ProfilerHostId;
import io.otelprofiling.correlation.internal.delay.Delaying;
import io.otelprofiling.correlation.internal.delay.DeferredSpanProcessor;
import io.otelprofiling.correlation.internal.telemetry.OwnMetrics;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The plug-in for an SDK that is built in code. Where the SDK is autoconfigured, only {@link
 * #correlate} and {@link #registerContextStorage} may be of use. Safe for use by many threads.
 */
public final class ProfilingCorrelation implements AutoCloseable {
  private static final Logger logger = Logger.getLogger(ProfilingCorrelation.class.getName());

  private static final long MAX_CLOSE_SECONDS = 10;

  private final Correlator correlator;
  private final AtomicBoolean traces = new AtomicBoolean();
  private final AtomicBoolean counts = new AtomicBoolean();

  ProfilingCorrelation(Correlator correlator) {
    this.correlator = correlator;
  }

  Correlator correlator() {
    return correlator;
  }

  /**
   * Returns a builder of the plug-in for an SDK that is built in code.
   *
   * @param resource of the SDK
   */
  public static ProfilingCorrelationBuilder builder(Resource resource) {
    return new ProfilingCorrelationBuilder(resource);
  }

  /**
   * Registers the wrapper of the context storage, which has to happen before anything in the
   * application asks OpenTelemetry for the current context. Where the SDK is configured too late
   * for that, call this first thing in {@code main}. Further calls do nothing.
   */
  public static void registerContextStorage() {
    Correlator.registerContextStorage();
  }

  /**
   * Wraps a processor that the application adds to the SDK in code, in a customizer of the tracer
   * provider, so that the local root spans that reach it carry their stack traces as well.
   * Processors that the SDK's autoconfiguration makes are wrapped without this.
   *
   * <p>May be called on any thread, at any time before the SDK is built, whether or not the plug-in
   * is going to run. Never throws, and logs nothing. The processor that is returned
   *
   * <ul>
   *   <li>calls the given one on the threads that start and end spans, like the SDK itself, but for
   *       sampled local root spans of the SDK that the plug-in serves: these come on a thread of
   *       the plug-in, which serves no other processor, after the samples delay, one second if the
   *       profiler tells none. An exception that the processor throws there is logged, not more
   *       than once a minute.
   *   <li>passes everything on at once while the plug-in is off, serves another SDK, has not
   *       started, has no profiler in mode {@code auto}, or has ended.
   *   <li>passes on what waits before {@code forceFlush} and {@code shutdown} reach the given one,
   *       and nothing after its shutdown. Both may be called by the given processor itself while it
   *       is given a delayed span; a flush from within such a flush passes nothing more on.
   *   <li>fails the result of a flush or shutdown if the given one has blocked for ten seconds on a
   *       delayed span.
   * </ul>
   *
   * @param processor such as a {@code BatchSpanProcessor}; to be added to the SDK only in what this
   *     returns
   * @return the processor to add; the same one if it was wrapped before
   */
  public static SpanProcessor correlate(SpanProcessor processor) {
    return processor instanceof Delaying
        ? processor
        : Delaying.withOnEnding(
            new DeferredSpanProcessor(processor, Correlator::serving), processor);
  }

  /**
   * Starts the plug-in, unless it is off, and makes it follow the spans of this SDK. To be called
   * last before the tracer provider is built, once: for a second SDK it does nothing but log a
   * warning. Never throws: if the plug-in cannot start, one log line says why.
   */
  public SdkTracerProviderBuilder addTo(SdkTracerProviderBuilder tracing) {
    if (correlator.isOff() || isRepeated(traces, "tracer provider") || !correlator.start()) {
      return tracing;
    }
    return tracing.addSpanProcessor(correlator.tracker());
  }

  /**
   * Makes the SDK's metric readers export what the plug-in counts. To be called once: a second time
   * it does nothing but log a warning.
   */
  public SdkMeterProviderBuilder addTo(SdkMeterProviderBuilder metering) {
    if (correlator.isOff() || isRepeated(counts, "meter provider")) {
      return metering;
    }
    return metering.registerMetricProducer(
        new OwnMetrics(correlator.resource(), correlator::count));
  }

  private static boolean isRepeated(AtomicBoolean added, String what) {
    if (added.compareAndSet(false, true)) {
      return false;
    }
    logger.log(
        Level.WARNING,
        "Profiling correlation was added to a {0} before and serves that one. Build another"
            + " ProfilingCorrelation for another SDK.",
        what);
    return true;
  }

  /** Adds the profiler's {@code host.id} to exported spans where the resource has none. */
  public SpanExporter withHostId(SpanExporter exporter) {
    ProfilerHostId missing = correlator.missingHostId();
    return missing == null ? exporter : new HostIdSpanExporter(exporter, missing);
  }

  /** Adds the profiler's {@code host.id} to exported metrics where the resource has none. */
  public MetricExporter withHostId(MetricExporter exporter) {
    ProfilerHostId missing = correlator.missingHostId();
    return missing == null ? exporter : new HostIdMetricExporter(exporter, missing);
  }

  /** Adds the profiler's {@code host.id} to exported log records where the resource has none. */
  public LogRecordExporter withHostId(LogRecordExporter exporter) {
    ProfilerHostId missing = correlator.missingHostId();
    return missing == null ? exporter : new HostIdLogRecordExporter(exporter, missing);
  }

  /**
   * Ends the plug-in, as the shutdown of its tracer provider does, and waits for that, ten seconds
   * at most. The SDK goes on without it; spans that wait are passed on. Further calls do nothing.
   */
  @Override
  public void close() {
    if (!correlator.isOff() && traces.compareAndSet(false, true)) {
      logger.log(
          Level.WARNING,
          "Profiling correlation was never added to a tracer provider, nothing was correlated. Call"
              + " addTo before the provider is built.");
    }
    correlator.stop().join(MAX_CLOSE_SECONDS, TimeUnit.SECONDS);
  }
}
