/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.springboot.internal;

import static java.util.stream.Collectors.toList;
import static org.springframework.core.env.StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.ProcessProperties;
import io.flamespan.correlation.internal.config.Setting;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.config.StatusProperty;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.requirements.OpenTelemetryVersion;
import io.flamespan.correlation.internal.runtime.SharedContextStorage;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/**
 * Registers the wrapper of the context storage as soon as a {@code SpringApplication} is created.
 * The SDK would be too late: it is one of the application's beans, and the OpenTelemetry starter
 * adds the trace id even to lines that Spring Boot logs earlier.
 *
 * <p>Never throws, because an exception would prevent the application from starting.
 */
public final class ProfilingCorrelationSpringInitializer
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  // With it, OpenTelemetry's starter reads declarative configuration, and so does the plug-in.
  private static final String FILE_FORMAT = "otel.file_format";

  /** Called by Spring Boot, before the application logs anything. */
  public ProfilingCorrelationSpringInitializer() {
    try {
      if (OpenTelemetryVersion.isSupported()) {
        SharedContextStorage.register();
      }
    } catch (LinkageError e) {
      Trouble.log(
          ProfilingCorrelationSpringInitializer.class,
          Level.FINE,
          Deployment.hasUnseenOpenTelemetry()
              ? "The plug-in does not see OpenTelemetry"
              : "No OpenTelemetry in this Spring application",
          e);
    } catch (Throwable e) {
      Trouble.warn(
          ProfilingCorrelationSpringInitializer.class,
          "Profilers will not see the active spans",
          e);
    }
  }

  /**
   * Leaves the context storage alone if Spring's properties, which are known by now, turn the
   * plug-in off.
   */
  @Override
  public void initialize(ConfigurableApplicationContext context) {
    Deployment.checkFiles();
    try {
      reportUnknownSettings(context);
      UnaryOperator<@Nullable String> properties = context.getEnvironment()::getProperty;
      if (properties.apply(FILE_FORMAT) != null) {
        reportUnreadSettings(properties);
        properties = ProcessProperties::get;
      }
      if (!CorrelationConfig.isDisabledIn(properties)) {
        Deployment.checkAgent();
      } else if (OpenTelemetryVersion.isSupported()) {
        SharedContextStorage.setWanted(false);
        StatusProperty.showOff(
            Settings.ENABLED.nameIn(properties) + " is " + Settings.ENABLED.textIn(properties));
      }
    } catch (Throwable e) {
      Trouble.log(
          ProfilingCorrelationSpringInitializer.class,
          Level.FINE,
          "Cannot read the properties of this Spring application",
          e);
    }
  }

  private static void reportUnreadSettings(UnaryOperator<@Nullable String> properties) {
    for (Setting<?> setting : Settings.all()) {
      String name = setting.nameIn(properties);
      if (setting.textIn(properties) != null && ProcessProperties.get(name) == null) {
        Trouble.warn(
            ProfilingCorrelationSpringInitializer.class,
            "The setting {0} has no effect beside {1}. Set {2} below"
                + " otel.instrumentation/development.java.flamespan.",
            name,
            FILE_FORMAT,
            setting.name().replace('.', '_'));
      }
    }
  }

  /** Spring ignores the case of names. The SDK's own spellings are for system properties. */
  private static void reportUnknownSettings(ConfigurableApplicationContext context) {
    for (PropertySource<?> source : context.getEnvironment().getPropertySources()) {
      if (source instanceof EnumerablePropertySource
          && !source.getName().equals(SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME)) {
        CorrelationConfig.reportUnknown(
            Arrays.stream(((EnumerablePropertySource<?>) source).getPropertyNames())
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(toList()));
      }
    }
  }
}
