/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation;

import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.SdkMeterProviderBuilder;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.otelprofiling.correlation.internal.config.Switch;
import io.otelprofiling.correlation.internal.runtime.Correlator;
import io.otelprofiling.correlation.internal.runtime.ProcessState;
import io.otelprofiling.correlation.internal.runtime.RunningPlugin;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The plug-in for an SDK that is built in code. Where the SDK is autoconfigured, only {@link
 * #correlate} and {@link #registerContextStorage} may be of use. Safe for use by many threads; no
 * method throws, whatever fails: one log line then says why the plug-in does not run.
 */
public final class ProfilingCorrelation implements AutoCloseable {
  private static final long MAX_CLOSE_SECONDS = 10;

  private final @Nullable Correlator correlator; // null if the plug-in is off
  private final boolean started;
  private final AtomicBoolean tracing = new AtomicBoolean();
  private final AtomicBoolean metering = new AtomicBoolean();

  /** When the plug-in runs. */
  public enum Mode {
    /** The default: spans wait for stack traces from the first message of a profiler on. */
    AUTO(Switch.AUTO),
    /** Spans wait for stack traces from the start. */
    ENABLED(Switch.ON),
    /** The plug-in does nothing. */
    DISABLED(Switch.OFF);

    final String value;

    Mode(Switch mode) {
      value = mode.value();
    }
  }

  ProfilingCorrelation(@Nullable Correlator correlator, boolean started) {
    this.correlator = correlator == null || correlator.isOff() ? null : correlator;
    this.started = started;
  }

  /**
   * Returns a builder of the plug-in for an SDK that is built in code.
   *
   * @param resource the resource of the SDK, which names the service to profilers
   */
  public static ProfilingCorrelationBuilder builder(Resource resource) {
    return new ProfilingCorrelationBuilder(resource);
  }

  /**
   * Registers the wrapper of the context storage, which has to happen before anything in the
   * application asks OpenTelemetry for the current context. Where the SDK is configured too late
   * for that, call this first in {@code main}. Further calls do nothing.
   */
  public static void registerContextStorage() {
    try {
      ProcessState.registerContextStorage();
    } catch (Throwable e) {
      warn("Profilers will not see the active spans", e);
    }
  }

  /**
   * Wraps a processor that the application adds to the SDK in code, in a customizer of the tracer
   * provider for instance, so that the local root spans that reach it carry their stack traces.
   * Processors that the SDK's autoconfiguration creates are wrapped without this.
   *
   * <p>May be called on any thread, at any time before the SDK is built, whether or not the plug-in
   * is going to run. Logs nothing. The processor that is returned
   *
   * <ul>
   *   <li>calls the given one on the threads that start and end spans, like the SDK itself, except
   *       for sampled local root spans of the SDK that the plug-in serves: these are passed on by a
   *       thread of the plug-in, which serves no other processor, after the samples delay, which is
   *       one second if the profiler does not announce one. An exception that the processor throws
   *       there is logged, not more than once a minute.
   *   <li>passes everything on at once while the plug-in is off, serves another SDK, has not
   *       started, has no profiler in mode {@code auto}, or has ended.
   *   <li>passes on all waiting spans before {@code forceFlush} and {@code shutdown} reach the
   *       given one, and nothing after its shutdown. The given processor may call both itself while
   *       it is given a delayed span; a flush from within such a flush passes nothing more on.
   *   <li>fails the result of a flush or shutdown if the given one has blocked for ten seconds on a
   *       delayed span.
   * </ul>
   *
   * @param processor such as a {@code BatchSpanProcessor}; only the returned processor is to be
   *     added to the SDK
   * @return the processor to add; the given one if it was wrapped before
   */
  public static SpanProcessor correlate(SpanProcessor processor) {
    try {
      return RunningPlugin.wrap(processor);
    } catch (Throwable e) {
      warn("A span processor receives its spans without stack traces", e);
      return processor;
    }
  }

  /**
   * Wraps a sampler that the application sets in code, so that each span knows its local root span.
   * Without this, profilers see local root spans, but no trace while a span below one is current.
   * Samplers that the SDK's autoconfiguration creates or customizes are wrapped without this.
   *
   * <p>May be called on any thread, at any time before the SDK is built, whether or not the plug-in
   * is going to run. The returned sampler decides as the given one and has the same description.
   * While a plug-in runs, it gives recorded local root spans a trace state that equals, and is
   * propagated and exported as, the state that the given sampler has chosen.
   *
   * @param sampler such as {@code Sampler.parentBased(Sampler.alwaysOn())}, the SDK's default
   * @return the sampler to set; the given one if it was wrapped before
   */
  public static Sampler correlate(Sampler sampler) {
    try {
      return RunningPlugin.wrap(sampler);
    } catch (Throwable e) {
      warn("Profilers see no trace while spans below local root spans are current", e);
      return sampler;
    }
  }

  /**
   * Makes the plug-in follow the spans of this SDK. To be called last before the tracer provider is
   * built, and once: for a second provider this does nothing but log a warning.
   *
   * @return the given builder
   */
  public SdkTracerProviderBuilder install(SdkTracerProviderBuilder builder) {
    return correlator == null || isRepeated(tracing, "tracer provider") || !started
        ? builder
        : builder.addSpanProcessor(correlator.tracker());
  }

  /**
   * Makes the SDK's metric readers export what the plug-in counts. To be called once: for a second
   * provider this does nothing but log a warning.
   *
   * @return the given builder
   */
  public SdkMeterProviderBuilder install(SdkMeterProviderBuilder builder) {
    try {
      return correlator == null || isRepeated(metering, "meter provider")
          ? builder
          : builder.registerMetricProducer(correlator.metrics());
    } catch (Throwable e) {
      warn("The counts of profiling correlation are not exported", e);
      return builder;
    }
  }

  private static boolean isRepeated(AtomicBoolean installed, String provider) {
    if (installed.compareAndSet(false, true)) {
      return false;
    }
    warn(
        "Profiling correlation was installed in a "
            + provider
            + " before and serves that one. Start another ProfilingCorrelation for another SDK.",
        null);
    return true;
  }

  static void warn(String message, @Nullable Throwable cause) {
    try {
      Logger.getLogger(ProfilingCorrelation.class.getName()).log(Level.WARNING, message, cause);
    } catch (Throwable ofLogHandlers) {
      // There is nothing left to do.
    }
  }

  private static <T> T withoutHostId(T exporter, Throwable e) {
    warn("Telemetry is exported without the profiler's host.id", e);
    return exporter;
  }

  /** Returns an exporter that adds the profiler's {@code host.id} where the resource has none. */
  public SpanExporter withHostId(SpanExporter exporter) {
    try {
      return correlator == null ? exporter : correlator.hostId().addTo(exporter);
    } catch (Throwable e) {
      return withoutHostId(exporter, e);
    }
  }

  /** Returns an exporter that adds the profiler's {@code host.id} where the resource has none. */
  public MetricExporter withHostId(MetricExporter exporter) {
    try {
      return correlator == null ? exporter : correlator.hostId().addTo(exporter);
    } catch (Throwable e) {
      return withoutHostId(exporter, e);
    }
  }

  /** Returns an exporter that adds the profiler's {@code host.id} where the resource has none. */
  public LogRecordExporter withHostId(LogRecordExporter exporter) {
    try {
      return correlator == null ? exporter : correlator.hostId().addTo(exporter);
    } catch (Throwable e) {
      return withoutHostId(exporter, e);
    }
  }

  /**
   * Ends the plug-in, as the shutdown of its tracer provider does, and waits for its end, but not
   * longer than ten seconds. The SDK continues without it, and waiting spans are passed on. Further
   * calls do nothing.
   */
  @Override
  public void close() {
    if (correlator == null) {
      return;
    }
    if (started && tracing.compareAndSet(false, true)) {
      warn(
          "Profiling correlation was never installed in a tracer provider, so nothing was"
              + " correlated. Call install before the provider is built.",
          null);
    }
    try {
      correlator.stop().join(MAX_CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (Throwable e) {
      warn("Profiling correlation was closed without waiting for its end", e);
    }
  }
}
