/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.springboot.internal;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.StatusProperty;
import io.flamespan.correlation.internal.localroot.LocalRootTracker;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.requirements.OpenTelemetryVersion;
import io.flamespan.correlation.internal.requirements.OwnPermissions;
import io.flamespan.correlation.internal.runtime.Correlator;
import io.flamespan.correlation.internal.runtime.RunningPlugin;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Creates the bean that Spring Boot calls with the builder of its tracer provider. The type of that
 * bean is an interface of Spring Boot, whose name depends on the version, hence a proxy.
 *
 * <p>The bean never throws, because an exception would prevent the application from starting.
 */
final class TracerProviderCustomizer implements FactoryBean<Object> {
  private static final String[] INTERFACES = {
    "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure"
        + ".SdkTracerProviderBuilderCustomizer", // 4
    "org.springframework.boot.actuate.autoconfigure.tracing.SdkTracerProviderBuilderCustomizer" // 3
  };

  // OpenTelemetry's starter creates its SDK with autoconfiguration.
  private static final String STARTER = "io.opentelemetry.instrumentation.spring.";

  private final ConfigurableListableBeanFactory beans;
  private final UnaryOperator<@Nullable String> properties;

  TracerProviderCustomizer(
      ConfigurableListableBeanFactory beans, UnaryOperator<@Nullable String> properties) {
    this.beans = beans;
    this.properties = properties;
  }

  /** Returns the interface, or null in an application without Spring Boot's tracing. */
  @Override
  public @Nullable Class<?> getObjectType() {
    for (String name : INTERFACES) {
      try {
        return ClassUtils.forName(name, beans.getBeanClassLoader());
      } catch (ClassNotFoundException | LinkageError e) {
        // Another version, or an application without tracing.
      }
    }
    return null;
  }

  @Override
  public @Nullable Object getObject() {
    Class<?> type = getObjectType();
    return type == null
        ? null
        : Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this::invoke);
  }

  private @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
    Object argument = arguments == null || arguments.length == 0 ? null : arguments[0];
    switch (method.getName()) {
      case "equals":
        return proxy == argument;
      case "hashCode":
        return System.identityHashCode(proxy);
      case "toString":
        return TracerProviderCustomizer.class.getName();
      default:
        if (argument instanceof SdkTracerProviderBuilder) {
          customize((SdkTracerProviderBuilder) argument);
        }
        return null;
    }
  }

  void customize(SdkTracerProviderBuilder tracing) {
    try {
      if (!OpenTelemetryVersion.isSupported()) {
        StatusProperty.showOff(OpenTelemetryVersion.UNSUPPORTED);
      } else if (!isUnused()) {
        addTo(tracing);
      }
    } catch (Throwable e) {
      StatusProperty.showOff("it has failed: " + e);
      Trouble.warn(TracerProviderCustomizer.class, "Flamespan is off or incomplete", e);
    }
  }

  /**
   * Returns whether OpenTelemetry's starter builds the application's SDK. Spring Boot then builds
   * this provider all the same, and nothing uses it.
   */
  private boolean isUnused() {
    for (String name : beans.getBeanNamesForType(OpenTelemetry.class, true, false)) {
      if (!beans.containsBeanDefinition(name)) {
        continue; // an object that the application has registered
      }
      String factory = beans.getMergedBeanDefinition(name).getFactoryBeanName();
      if (factory != null && factory.startsWith(STARTER)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reads what beans and other customizers have given to the builder, which has no public methods
   * that return it. Replacing the beans instead would fail where the application injects one of
   * them by its class, and would miss what customizers add.
   */
  @SuppressWarnings("unchecked")
  private void addTo(SdkTracerProviderBuilder tracing) throws ReflectiveOperationException {
    // If the builder is different, this fails before anything has been changed.
    Resource resource = (Resource) read(tracing, "resource");
    Sampler sampler = (Sampler) read(tracing, "sampler");
    List<SpanProcessor> processors = (List<SpanProcessor>) read(tracing, "spanProcessors");
    if (processors.stream().anyMatch(LocalRootTracker.class::isInstance)) {
      return; // the application has installed the plug-in in code
    }
    Correlator correlator =
        Correlator.unlessOff(
            CorrelationConfig.read(properties, OwnPermissions.missing()), resource);
    if (correlator == null) {
      return;
    }
    tracing.setSampler(RunningPlugin.wrap(sampler));
    processors.replaceAll( // in the builder's own list
        processor -> processor.isEndRequired() ? correlator.delaying(processor, 0) : processor);
    if (correlator.start()) {
      correlator.follow(tracing);
      count(correlator);
    }
  }

  private static Object read(SdkTracerProviderBuilder builder, String name)
      throws ReflectiveOperationException {
    Field field = SdkTracerProviderBuilder.class.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(builder);
  }

  private void count(Correlator correlator) {
    try {
      beans.getBeanProvider(MeterProvider.class).ifUnique(correlator::count);
    } catch (RuntimeException e) { // the bean cannot be created now
      Trouble.log(
          TracerProviderCustomizer.class,
          Level.FINE,
          "The counts of Flamespan are not exported",
          e);
    }
  }
}
