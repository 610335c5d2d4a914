/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.ProcessProperties;
import io.flamespan.correlation.internal.config.Setting;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.config.StatusProperty;
import io.flamespan.correlation.internal.requirements.OpenTelemetryVersion;
import io.flamespan.correlation.internal.requirements.OwnPermissions;
import io.flamespan.correlation.internal.runtime.Correlator;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Configures and starts the plug-in for an SDK that is built in code. Not thread-safe.
 *
 * <pre>{@code
 * ProfilingCorrelation correlation =
 *     ProfilingCorrelation.builder(resource).setMode(ProfilingCorrelation.Mode.ENABLED).start();
 * SdkTracerProviderBuilder tracing =
 *     SdkTracerProvider.builder()
 *         .setResource(resource)
 *         .setSampler(ProfilingCorrelation.correlate(Sampler.parentBased(Sampler.alwaysOn())))
 *         .addSpanProcessor(
 *             ProfilingCorrelation.correlate(
 *                 BatchSpanProcessor.builder(correlation.withHostId(exporter)).build()));
 * OpenTelemetrySdk sdk =
 *     OpenTelemetrySdk.builder().setTracerProvider(correlation.install(tracing).build()).build();
 * }</pre>
 *
 * <p>System properties and environment variables named after the settings take precedence over the
 * values set here. The plug-in ends when the tracer provider is shut down, or when it is closed.
 */
public final class ProfilingCorrelationBuilder {
  private final Resource resource;
  private final Map<String, String> settings = new HashMap<>();

  ProfilingCorrelationBuilder(Resource resource) {
    this.resource = resource;
  }

  /** Sets when the plug-in runs. The default is {@link ProfilingCorrelation.Mode#AUTO}. */
  public ProfilingCorrelationBuilder setMode(ProfilingCorrelation.Mode mode) {
    return set(Settings.ENABLED, mode.value);
  }

  /**
   * Sets the directory of the socket that profilers send to. The path of the socket must not exceed
   * 89 bytes. The default is a private directory below the directory for temporary files.
   */
  public ProfilingCorrelationBuilder setSocketDirectory(String directory) {
    return set(Settings.SOCKET_DIR, directory);
  }

  /**
   * Sets what opens that socket and receives from it: {@code native}, the default, or {@code jnr},
   * which needs jnr-unixsocket on the class path.
   */
  public ProfilingCorrelationBuilder setSocketLibrary(String library) {
    return set(Settings.SOCKET_LIBRARY, library);
  }

  /** Sets how many ended local root spans may wait, from 1 to 10,000,000. The default is 8,096. */
  public ProfilingCorrelationBuilder setBufferSize(int spans) {
    return set(Settings.BUFFER_SIZE, Integer.toString(spans));
  }

  /**
   * Sets how many stack trace ids a local root span may have, repetitions included, from 1 to
   * 1,000,000. The default is 16,384.
   */
  public ProfilingCorrelationBuilder setMaxStackTraceIds(int ids) {
    return set(Settings.MAX_STACK_TRACE_IDS, Integer.toString(ids));
  }

  /**
   * Sets the directory that native libraries are extracted to. The default is a private directory
   * below the directory for temporary files.
   */
  public ProfilingCorrelationBuilder setNativeDirectory(String directory) {
    return set(Settings.NATIVE_DIR, directory);
  }

  /** Sets whether the resource is published as a process context. The default is true. */
  public ProfilingCorrelationBuilder setProcessContextEnabled(boolean enabled) {
    return set(Settings.PROCESS_CONTEXT_ENABLED, Boolean.toString(enabled));
  }

  /** Sets whether virtual threads show their traces. The default is true. */
  public ProfilingCorrelationBuilder setVirtualThreadsEnabled(boolean enabled) {
    return set(Settings.VIRTUAL_THREADS_ENABLED, Boolean.toString(enabled));
  }

  /**
   * Sets whether threads also show their current span as OpenTelemetry's thread context (OTEP
   * 4947). The default, {@link ProfilingCorrelation.Mode#AUTO}, enables this where it is possible;
   * {@link ProfilingCorrelation.Mode#ENABLED} also logs a warning where it is not.
   */
  public ProfilingCorrelationBuilder setThreadContextMode(ProfilingCorrelation.Mode mode) {
    return set(Settings.THREAD_CONTEXT_ENABLED, mode.value);
  }

  /**
   * Sets the schema version, from which profilers know how to read the thread context: ASCII
   * characters without blanks. The default is {@code tlsdesc_v1_dev}.
   */
  public ProfilingCorrelationBuilder setThreadContextSchemaVersion(String version) {
    return set(Settings.THREAD_CONTEXT_SCHEMA_VERSION, version);
  }

  /**
   * Sets whether the thread context also contains the id of the local root span, as the attribute
   * {@code datadog.local_root_span_id}. The default is false.
   */
  public ProfilingCorrelationBuilder setThreadContextLocalRootEnabled(boolean enabled) {
    return set(Settings.THREAD_CONTEXT_LOCAL_ROOT_ENABLED, Boolean.toString(enabled));
  }

  /**
   * Sets the keys of the span attributes or baggage entries that the thread context shows: at most
   * 255 keys, without commas. The default is an empty list.
   */
  public ProfilingCorrelationBuilder setThreadContextAttributes(List<String> keys) {
    return set(Settings.THREAD_CONTEXT_ATTRIBUTES, String.join(",", keys));
  }

  /**
   * Sets which storages of OpenTelemetry's context are trusted to keep each context with its
   * thread, by the beginnings of the names of their classes: at most 16, without commas. Threads
   * show no trace while any other storage does not leave the context to OpenTelemetry's default
   * storage. The default is {@code io.sentry.opentelemetry.}.
   */
  public ProfilingCorrelationBuilder setTrustedContextStorages(List<String> prefixes) {
    return set(Settings.CONTEXT_STORAGE_TRUSTED, String.join(",", prefixes));
  }

  /**
   * Sets the name of an attribute, such as {@code pyroscope.profile.id}, that each local root span
   * gets when it starts. Its value is the span's id in hexadecimal digits. By default there is no
   * such attribute.
   */
  public ProfilingCorrelationBuilder setProfileIdAttribute(String name) {
    return set(Settings.PROFILE_ID_ATTRIBUTE, name);
  }

  /**
   * Sets the names of the span attributes by which a metric counts the samples of local root spans:
   * at most 16 names, without commas. {@code span.name} stands for the name of a span that has none
   * of the other attributes. By default there are no names, and no such metric.
   */
  public ProfilingCorrelationBuilder setSamplesMetricAttributes(List<String> names) {
    return set(Settings.SAMPLES_METRIC_ATTRIBUTES, String.join(",", names));
  }

  /**
   * Sets the duration of one sample, in whole microseconds and at most 60 s: the reciprocal of the
   * profiler's sampling frequency. The samples metric then counts seconds.
   */
  public ProfilingCorrelationBuilder setSamplesPeriod(Duration period) {
    return set(Settings.SAMPLES_PERIOD, micros(period));
  }

  private static String micros(Duration period) {
    boolean isWrong = period.compareTo(Duration.ofDays(1)) > 0; // toNanos() may overflow
    return isWrong ? period.toString() : TimeUnit.NANOSECONDS.toMicros(period.toNanos()) + "us";
  }

  /**
   * Sets the name of an attribute for the number of samples of a local root span. Spans without
   * samples do not get it. By default there is no such attribute.
   */
  public ProfilingCorrelationBuilder setSamplesAttribute(String name) {
    return set(Settings.SAMPLES_ATTRIBUTE, name);
  }

  /**
   * Sets whether a profiler in this process samples threads, which needs the artifact {@code
   * flamespan-embedded}. {@link ProfilingCorrelation.Mode#AUTO} means if no profiler of the host
   * has sent a message within 30 s. The default is {@link ProfilingCorrelation.Mode#DISABLED}.
   */
  public ProfilingCorrelationBuilder setEmbeddedProfilerMode(ProfilingCorrelation.Mode mode) {
    return set(Settings.EMBEDDED_PROFILER, mode.value);
  }

  /**
   * Sets the CPU time of a thread between two samples of that profiler, in whole microseconds, from
   * 1 ms to 60 s. The default is 50 ms.
   */
  public ProfilingCorrelationBuilder setEmbeddedProfilerPeriod(Duration period) {
    return set(Settings.EMBEDDED_PROFILER_PERIOD, micros(period));
  }

  /**
   * Sets whether the status is available as an MBean. The default, {@link
   * ProfilingCorrelation.Mode#AUTO}, registers the MBean if something else in the process uses JMX.
   */
  public ProfilingCorrelationBuilder setMBeanMode(ProfilingCorrelation.Mode mode) {
    return set(Settings.MBEAN_ENABLED, mode.value);
  }

  /**
   * Sets a setting by its name.
   *
   * @param property the full name, such as {@code flamespan.enabled}
   */
  public ProfilingCorrelationBuilder set(String property, String value) {
    settings.put(property, value);
    return this;
  }

  private ProfilingCorrelationBuilder set(Setting<?> setting, String value) {
    return set(setting.toString(), value);
  }

  /**
   * Reads the settings, logging one warning for each invalid value. Unless the plug-in is disabled,
   * then binds the socket, loads the native library and starts the plug-in. Must be called before
   * anything in the application asks OpenTelemetry for the current context. Never throws: if the
   * plug-in cannot start, one log line says why, and the returned object leaves the SDK unchanged.
   *
   * <p>From now on, the plug-in serves this SDK alone, until the SDK is shut down or the plug-in is
   * {@linkplain ProfilingCorrelation#close closed}. Any other SDK that starts in this process
   * meanwhile runs without it, after a warning. If another SDK is served already, the same holds
   * for this one.
   */
  public ProfilingCorrelation start() {
    try {
      if (!OpenTelemetryVersion.isSupported()) {
        StatusProperty.showOff(OpenTelemetryVersion.UNSUPPORTED);
        return new ProfilingCorrelation(null, false);
      }
      CorrelationConfig.reportUnknown(settings.keySet());
      Correlator correlator =
          Correlator.unlessOff(
              CorrelationConfig.read(
                  this::property, "code", Collections.emptySet(), OwnPermissions.missing()),
              resource);
      return new ProfilingCorrelation(correlator, correlator != null && correlator.start());
    } catch (Throwable e) {
      ProfilingCorrelation.warn("Flamespan is off", e);
      StatusProperty.showOff("it has failed: " + e);
      return new ProfilingCorrelation(null, false);
    }
  }

  private @Nullable String property(String name) {
    String value = ProcessProperties.get(name);
    boolean isOfProcess = value != null || ProcessProperties.get(Settings.otherName(name)) != null;
    return isOfProcess ? value : settings.get(name);
  }
}
