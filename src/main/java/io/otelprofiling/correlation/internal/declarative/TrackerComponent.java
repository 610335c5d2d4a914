/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.declarative;

import io.opentelemetry.api.incubator.config.DeclarativeConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.ComponentProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;

/** Behind the span processors of the file. */
public final class TrackerComponent implements ComponentProvider {
  static final String NAME = "profiling_correlation_tracker";

  @Override
  public Class<SpanProcessor> getType() {
    return SpanProcessor.class;
  }

  @Override
  public String getName() {
    return NAME;
  }

  @Override
  public SpanProcessor create(DeclarativeConfigProperties unused) {
    ConfiguredSdk sdk = ConfiguredSdk.current();
    return sdk == null ? SpanProcessor.composite() : sdk.tracker();
  }
}
