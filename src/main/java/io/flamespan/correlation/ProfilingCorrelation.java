/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation;

import io.flamespan.correlation.internal.config.Switch;
import io.flamespan.correlation.internal.log.Step;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.requirements.OpenTelemetryVersion;
import io.flamespan.correlation.internal.runtime.Correlator;
import io.flamespan.correlation.internal.runtime.RunningPlugin;
import io.flamespan.correlation.internal.runtime.SharedContextStorage;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.SdkMeterProviderBuilder;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The plug-in for an SDK that is built in code. Applications with an autoconfigured SDK need at
 * most {@link #correlate} and {@link #registerContextStorage}. Thread-safe. No method throws: if
 * something fails, a single log line says why the plug-in does not run.
 */
public final class ProfilingCorrelation implements AutoCloseable {
  private static final long MAX_CLOSE_SECONDS = 10;
  private static final String NO_HOST_ID = "Telemetry is exported without the profiler's host.id";

  private final @Nullable Correlator correlator; // null if the plug-in is off
  private final boolean started;
  private final AtomicBoolean tracing = new AtomicBoolean();
  private final AtomicBoolean metering = new AtomicBoolean();
  private final Step stopAndWait = this::stopAndWait;

  /** When the plug-in runs. */
  public enum Mode {
    /** The default: spans wait for stack traces once a profiler has sent its first message. */
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
    this.correlator = correlator;
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
   * Registers the wrapper of the context storage. This must happen before anything in the
   * application asks OpenTelemetry for the current context. If the SDK is configured too late for
   * that, call this method first in {@code main}. Further calls have no effect.
   */
  public static void registerContextStorage() {
    try {
      if (OpenTelemetryVersion.isSupported()) {
        SharedContextStorage.register();
      }
    } catch (Throwable e) {
      warn("Profilers will not see the active spans", e);
    }
  }

  /**
   * Wraps a processor that the application adds to the SDK in code, for instance in a tracer
   * provider customizer, so that the local root spans it receives carry their stack traces.
   * Processors created by the SDK's autoconfiguration are wrapped automatically.
   *
   * <p>May be called on any thread, at any time before the SDK is built, even if the plug-in will
   * not run. The processor must be added before {@link #install(SdkTracerProviderBuilder)}: later
   * ones receive spans without stack traces, and a warning says so where the sampler is wrapped.
   * The returned processor
   *
   * <ul>
   *   <li>calls the given processor on the threads that start and end spans, as the SDK does.
   *       Sampled local root spans of the SDK that the plug-in serves are the exception: a thread
   *       of the plug-in, dedicated to this processor, passes them on after the samples delay,
   *       which is one second unless the profiler announces another one. An exception thrown by the
   *       processor on that thread is logged, at most once a minute.
   *   <li>passes everything on immediately while the plug-in is off, serves another SDK, has not
   *       started, has not seen a profiler in mode {@code auto}, or has ended.
   *   <li>passes on all waiting spans before {@code forceFlush} and {@code shutdown} reach the
   *       given processor, and nothing after its shutdown. Their wait ends early, so they lack the
   *       stack traces that have not arrived yet. The given processor may itself call both while it
   *       receives a delayed span; a flush from within such a flush releases no further spans.
   *   <li>fails the result of a flush or shutdown if the given processor has blocked for ten
   *       seconds on a delayed span.
   *   <li>gives the given processor no more delayed spans than it takes. A shutdown passes spans on
   *       for thirty seconds at most; what is left is dropped, counted, and named in a warning.
   * </ul>
   *
   * @param processor such as a {@code BatchSpanProcessor}; add only the returned processor to the
   *     SDK
   * @return the processor to add, which is the given one if it was already wrapped
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
   * Samplers created or customized through the SDK's autoconfiguration are wrapped automatically.
   *
   * <p>May be called on any thread, at any time before the SDK is built, even if the plug-in will
   * not run. The returned sampler makes the same decisions as the given one and has the same
   * description. While a plug-in runs, it gives recorded local root spans a trace state that equals
   * the one chosen by the given sampler, and is propagated and exported in the same way.
   *
   * @param sampler such as {@code Sampler.parentBased(Sampler.alwaysOn())}, the SDK's default
   * @return the sampler to set, which is the given one if it was already wrapped
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
   * Makes the plug-in follow the spans of this SDK. Call this once, as the last step before the
   * tracer provider is built. For a second provider it only logs a warning.
   *
   * @return the given builder
   */
  public SdkTracerProviderBuilder install(SdkTracerProviderBuilder builder) {
    return changed(builder, ProfilingCorrelation::follow, "Flamespan is off");
  }

  private SdkTracerProviderBuilder follow(Correlator plugin, SdkTracerProviderBuilder builder) {
    if (!isRepeated(tracing, "tracer provider") && started) {
      plugin.follow(builder);
    }
    return builder;
  }

  /**
   * Makes the SDK's metric readers export the plug-in's counts. Call this once. For a second
   * provider it only logs a warning.
   *
   * @return the given builder
   */
  public SdkMeterProviderBuilder install(SdkMeterProviderBuilder builder) {
    return changed(
        builder, ProfilingCorrelation::count, "The counts of Flamespan are not exported");
  }

  private SdkMeterProviderBuilder count(Correlator plugin, SdkMeterProviderBuilder builder) {
    return isRepeated(metering, "meter provider")
        ? builder
        : builder.registerMetricProducer(plugin.metrics());
  }

  private static boolean isRepeated(AtomicBoolean installed, String provider) {
    if (installed.compareAndSet(false, true)) {
      return false;
    }
    warn(
        "Flamespan was installed in a "
            + provider
            + " before and serves that one. Start another ProfilingCorrelation for another SDK.",
        null);
    return true;
  }

  static void warn(String message, @Nullable Throwable cause) {
    Trouble.warn(ProfilingCorrelation.class, message, cause);
  }

  /**
   * Waits until the embedded profiler has started, on another thread, or cannot start. Samples
   * before that belong to no span. Returns at once if the settings want none.
   *
   * @return whether it has started
   */
  public boolean awaitEmbeddedProfiler(long time, TimeUnit unit) {
    return started && correlator != null && correlator.awaitEmbeddedProfiler(unit.toMillis(time));
  }

  /** Returns an exporter that adds the profiler's {@code host.id} to resources without one. */
  public SpanExporter withHostId(SpanExporter exporter) {
    return changed(exporter, (own, plugin, given) -> plugin.hostId().addTo(given), NO_HOST_ID);
  }

  /** Returns an exporter that adds the profiler's {@code host.id} to resources without one. */
  public MetricExporter withHostId(MetricExporter exporter) {
    return changed(exporter, (own, plugin, given) -> plugin.hostId().addTo(given), NO_HOST_ID);
  }

  /** Returns an exporter that adds the profiler's {@code host.id} to resources without one. */
  public LogRecordExporter withHostId(LogRecordExporter exporter) {
    return changed(exporter, (own, plugin, given) -> plugin.hostId().addTo(given), NO_HOST_ID);
  }

  /** What the plug-in does with a part of its SDK. Captures nothing, so it needs no memory. */
  private interface Change<T> {
    T apply(ProfilingCorrelation own, Correlator plugin, T given);
  }

  private <T> T changed(T given, Change<T> change, String failure) {
    try {
      return correlator == null ? given : change.apply(this, correlator, given);
    } catch (Throwable e) {
      warn(failure, e);
      return given;
    }
  }

  /**
   * Ends the plug-in, as the shutdown of its tracer provider does, and waits up to ten seconds for
   * it to end. Waiting spans are passed on, and the SDK keeps working without the plug-in. Further
   * calls have no effect.
   */
  @Override
  public void close() {
    if (correlator == null) {
      return;
    }
    if (started && tracing.compareAndSet(false, true)) {
      warn(
          "Flamespan was never installed in a tracer provider, so nothing was"
              + " correlated. Call install before the provider is built.",
          null);
    }
    Throwable failure = stopAndWait.failure();
    if (failure != null) {
      warn("Flamespan was closed without waiting for its end", failure);
    }
  }

  private void stopAndWait() {
    if (correlator != null) {
      correlator.stop().join(MAX_CLOSE_SECONDS, TimeUnit.SECONDS);
    }
  }
}
