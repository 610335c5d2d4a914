/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.declarative;

import io.opentelemetry.api.incubator.config.DeclarativeConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.ComponentProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;

/**
 * Creates the processors that replace the file's, and the last one. A property contains the index
 * of each.
 */
public final class ProcessorComponent implements ComponentProvider {
  static final String NAME = "flamespan";
  static final String PLACE = "place";

  @Override
  public Class<SpanProcessor> getType() {
    return SpanProcessor.class;
  }

  @Override
  public String getName() {
    return NAME;
  }

  @Override
  public SpanProcessor create(DeclarativeConfigProperties properties) {
    ConfiguredSdk sdk = ConfiguredSdk.current();
    Integer place = properties.getInt(PLACE);
    if (sdk == null || place == null) {
      throw new IllegalStateException(NAME + " is not a span processor for configuration files");
    }
    return sdk.processor(place, properties.getComponentLoader());
  }
}
