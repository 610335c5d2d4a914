/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.apps;

import io.opentelemetry.context.ContextStorage;
import io.otelprofiling.correlation.internal.autoconfigure.ProfilingCorrelationAutoConfig;
import java.util.List;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;

/**
 * Starts in the order of Spring Boot with the OpenTelemetry starter: initializers first, then a log
 * line that reads the current context, then the SDK.
 */
public final class SpringLikeApp {
  private SpringLikeApp() {}

  @SuppressWarnings({"unchecked", "rawtypes"})
  public static void main(String[] arguments) {
    List<ApplicationContextInitializer> initializers =
        SpringFactoriesLoader.loadFactories(
            ApplicationContextInitializer.class,
            ProfilingCorrelationAutoConfig.class.getClassLoader());
    ConfigurableApplicationContext context = new StaticApplicationContext();
    initializers.forEach(initializer -> initializer.initialize(context));
    boolean unchanged = ContextStorage.get() == ContextStorage.defaultStorage();
    System.out.println("default storage: " + unchanged);
    PingApp.main(arguments);
  }
}
