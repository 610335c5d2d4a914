/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.ProcessProperties;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.config.StatusProperty;
import io.flamespan.correlation.internal.log.Step;
import io.flamespan.correlation.internal.requirements.OpenTelemetryVersion;
import io.flamespan.correlation.internal.requirements.OwnPermissions;
import io.flamespan.correlation.internal.runtime.Correlator;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
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
  private final Step start = this::startIfSupported;
  private final ProfilingCorrelation off = new ProfilingCorrelation(null, false);
  private boolean isForEmbeddedProfiler;
  private ProfilingCorrelation result = off;

  ProfilingCorrelationBuilder(Resource resource) {
    this.resource = resource;
  }

  /** Sets when the plug-in runs. The default is {@link ProfilingCorrelation.Mode#AUTO}. */
  public ProfilingCorrelationBuilder setMode(ProfilingCorrelation.Mode mode) {
    return set(Settings.ENABLED.toString(), mode.value);
  }

  /**
   * Sets any setting by its name.
   *
   * @param property the full name, such as {@code flamespan.buffer.size}
   * @param value the text that a system property would have; lists are separated by commas
   */
  public ProfilingCorrelationBuilder set(String property, String value) {
    settings.put(property, value);
    return this;
  }

  /**
   * Starts only what the embedded profiler needs: without a socket, native code, and what profilers
   * of the host read. Settings that are set here take precedence over those of the process. For
   * tools that profile parts of an application, which may have a plug-in of its own. With a period
   * of 10 ms or more, stacks end where they enter the kernel. Lines that say what is on are of the
   * level FINE, unless waits are sampled.
   */
  public ProfilingCorrelationBuilder embeddedProfilerOnly() {
    isForEmbeddedProfiler = true;
    return this;
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
    result = off;
    Throwable failure = start.failure();
    if (failure != null) {
      ProfilingCorrelation.warn("Flamespan is off", failure);
      StatusProperty.showOff("it has failed: " + failure);
    }
    return result;
  }

  private void startIfSupported() {
    if (!OpenTelemetryVersion.isSupported()) {
      StatusProperty.showOff(OpenTelemetryVersion.UNSUPPORTED);
      return;
    }
    CorrelationConfig.reportUnknown(settings.keySet());
    Correlator correlator =
        Correlator.unlessOff(
            CorrelationConfig.read(
                this::property, "code", Collections.emptySet(), OwnPermissions.missing()),
            resource);
    if (correlator != null && isForEmbeddedProfiler) {
      correlator.serveEmbeddedProfilerOnly();
    }
    result = new ProfilingCorrelation(correlator, correlator != null && correlator.start());
  }

  private @Nullable String property(String name) {
    String other = Settings.otherName(name);
    String value = ProcessProperties.get(name);
    boolean isOfProcess = value != null || ProcessProperties.get(other) != null;
    boolean isSetHere = settings.containsKey(name) || settings.containsKey(other);
    return isOfProcess && !(isForEmbeddedProfiler && isSetHere) ? value : settings.get(name);
  }
}
