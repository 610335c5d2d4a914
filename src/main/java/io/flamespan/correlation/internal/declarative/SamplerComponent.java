/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.declarative;

import io.opentelemetry.api.incubator.config.DeclarativeConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.ComponentProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;

/** Creates and wraps the sampler that replaces the one from the file. */
public final class SamplerComponent implements ComponentProvider {
  @Override
  public Class<Sampler> getType() {
    return Sampler.class;
  }

  @Override
  public String getName() {
    return ProcessorComponent.NAME;
  }

  @Override
  public Sampler create(DeclarativeConfigProperties properties) {
    ConfiguredSdk sdk = ConfiguredSdk.current();
    if (sdk == null) {
      throw new IllegalStateException(getName() + " is not a sampler for configuration files");
    }
    return sdk.sampler(properties.getComponentLoader());
  }
}
