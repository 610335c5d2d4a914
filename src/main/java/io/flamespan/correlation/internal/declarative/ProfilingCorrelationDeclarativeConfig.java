/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.declarative;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.StatusProperty;
import io.flamespan.correlation.internal.config.Switch;
import io.flamespan.correlation.internal.log.Shortened;
import io.flamespan.correlation.internal.log.Step;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.requirements.OwnPermissions;
import io.flamespan.correlation.internal.runtime.Correlator;
import io.flamespan.correlation.internal.runtime.SharedContextStorage;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.internal.AutoConfigureListener;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.function.Function;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * Adds the plug-in to every SDK that is configured from a file ({@code otel.config.file}) and has
 * this class on its class path. If anything fails here, the SDK is configured as if the plug-in
 * were not installed. This is no longer possible once the processors are created; see
 * SdkComponentFactory.
 */
public final class ProfilingCorrelationDeclarativeConfig
    implements DeclarativeConfigurationCustomizerProvider, AutoConfigureListener {
  // Belongs to the SDK that is being configured. Null while the plug-in is off.
  private @Nullable CorrelationConfig config;

  /** Runs last, to work with the processors that other customizers have left. */
  @Override
  public int order() {
    return Integer.MAX_VALUE;
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // does not name the model, whose package may change
  public void customize(DeclarativeConfigurationCustomizer sdk) {
    Function<Object, Object> customizer =
        model -> {
          safely(() -> prepare(model));
          return model;
        };
    safely(
        () -> {
          SharedContextStorage.register();
          sdk.addModelCustomizer((Function) customizer);
        });
  }

  private void prepare(Object parsed) throws ReflectiveOperationException {
    config = null;
    ConfiguredSdk.take(); // left behind by a configuration that failed
    ConfigurationModel model = new ConfigurationModel(parsed);
    CorrelationConfig read =
        CorrelationConfig.read(
            model::setting, "file", model.ownSettings(), OwnPermissions.missing());
    if (!model.unknownSettings().isEmpty()) {
      Trouble.warn(
          ProfilingCorrelationDeclarativeConfig.class,
          "Flamespan ignores unknown settings in the configuration file: {0}.",
          Shortened.of(model.unknownSettings().toString()));
    }
    boolean wanted = read.mode() != Switch.OFF && !model.isSdkDisabled();
    boolean on = wanted && ConfiguredSdk.prepare(model);
    if (wanted && !on) {
      StatusProperty.showOff("the configuration file does not have span processors");
      Trouble.log(
          ProfilingCorrelationDeclarativeConfig.class,
          read.mode() == Switch.ON ? Level.WARNING : Level.FINE,
          "Flamespan is off: the configuration file does not have span processors. Add"
              + " some to tracer_provider.processors.");
    }
    SharedContextStorage.setWanted(on);
    if (read.mode() == Switch.OFF) {
      Correlator unused = Correlator.unlessOff(read, Resource.empty()); // reports the reason
    }
    config = on ? read : null;
  }

  @Override
  public void afterAutoConfigure(OpenTelemetrySdk sdk) {
    safely(() -> start(sdk));
  }

  private void start(OpenTelemetrySdk sdk) {
    ConfiguredSdk configured = ConfiguredSdk.take();
    if (configured == null || config == null) {
      return;
    }
    Correlator correlator = Correlator.unlessOff(config, resourceOf(sdk.getSdkTracerProvider()));
    if (correlator != null && correlator.start()) {
      correlator.tracker().use();
      configured.started(
          correlator::delayingFromNowOn,
          SpanProcessor.composite(correlator.recorder(), correlator.tracker()));
      correlator.count(sdk.getSdkMeterProvider());
    }
  }

  /**
   * Every span contains the resource, but no public method returns it. If the SDK is different, it
   * is an empty one, after a warning.
   */
  private static Resource resourceOf(SdkTracerProvider tracers) {
    try {
      Field state = SdkTracerProvider.class.getDeclaredField("sharedState");
      state.setAccessible(true);
      Method getter = state.getType().getDeclaredMethod("getResource");
      getter.setAccessible(true);
      return (Resource) getter.invoke(state.get(tracers));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      Trouble.warn(
          ProfilingCorrelationDeclarativeConfig.class,
          "Profilers will not see the name of this service",
          e);
      return Resource.empty();
    }
  }

  private static void safely(Step step) {
    Throwable e = step.failure();
    if (e != null) {
      StatusProperty.showOff("it does not work with this version of OpenTelemetry: " + e);
      Trouble.warn(
          ProfilingCorrelationDeclarativeConfig.class,
          "Flamespan is off or incomplete: it does not work with this version of"
              + " OpenTelemetry's declarative configuration",
          e);
    }
  }
}
