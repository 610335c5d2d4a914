/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurablePropagatorProvider;

/** Provides the value {@code elastic} of {@code otel.propagators}. Called only by the SDK. */
public final class ElasticPropagatorProvider implements ConfigurablePropagatorProvider {
  @Override
  public TextMapPropagator getPropagator(ConfigProperties properties) {
    try {
      return new ElasticPropagator(!isTraceContextConfigured(properties));
    } catch (Throwable e) {
      ElasticSettings.warn(
          "The value " + ElasticSettings.PROPAGATOR + " of otel.propagators has no effect", e);
      return TextMapPropagator.noop();
    }
  }

  private static boolean isTraceContextConfigured(ConfigProperties properties) {
    return properties.getList("otel.propagators").contains("tracecontext");
  }

  @Override
  public String getName() {
    return ElasticSettings.PROPAGATOR;
  }
}
