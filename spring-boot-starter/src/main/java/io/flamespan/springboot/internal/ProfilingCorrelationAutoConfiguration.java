/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.springboot.internal;

import io.flamespan.correlation.internal.runtime.RunningPlugin;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Adds the plug-in to the SDK that Spring Boot 3 and later build of beans, without OpenTelemetry's
 * autoconfiguration. Names only classes of Spring that have not moved since Spring Boot 2.7, so
 * that one class file serves all versions.
 */
@AutoConfiguration
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE) // so that other customizers come first
public class ProfilingCorrelationAutoConfiguration {
  /** Called by Spring Boot. */
  public ProfilingCorrelationAutoConfiguration() {
    Deployment.checkFiles();
  }

  /** Where Spring Boot builds an SDK, whose own condition is the same. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(
      value = SdkTracerProvider.class,
      name = "io.micrometer.tracing.otel.bridge.OtelTracer")
  static class Tracing {

    @Bean
    static TracerProviderCustomizer profilingCorrelationTracerProviderCustomizer(
        ConfigurableListableBeanFactory beans, Environment environment) {
      return new TracerProviderCustomizer(beans, environment::getProperty);
    }
  }

  /** Where the actuator can show the status, of any SDK in this class loader. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({InfoContributor.class, SdkTracerProvider.class})
  @ConditionalOnProperty(name = "management.info.flamespan.enabled", matchIfMissing = true)
  static class Info {

    @Bean
    InfoContributor profilingCorrelationInfoContributor() {
      return info -> info.withDetail("flamespan", RunningPlugin.publicStatus());
    }
  }
}
