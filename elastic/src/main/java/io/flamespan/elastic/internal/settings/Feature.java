/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.settings;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import java.util.function.BiFunction;

/**
 * Customizes the SDK for some settings. An error costs their effect and one log line, and never the
 * SDK. Called only by the SDK.
 */
public abstract class Feature implements AutoConfigurationCustomizerProvider {
  private final String settings;

  /**
   * @param settings their names, for warnings
   */
  protected Feature(String settings) {
    this.settings = settings;
  }

  @Override
  public final void customize(AutoConfigurationCustomizer sdk) {
    try {
      if (SupportedSdk.isSupported()) {
        addTo(sdk);
      }
    } catch (Throwable e) {
      failed(settings, e);
    }
  }

  /**
   * Adds customizers that are {@linkplain #safely safe}. They read the settings in the customizer
   * of the resource, which the SDK calls once and before all others but the customizer of the
   * properties.
   */
  protected abstract void addTo(AutoConfigurationCustomizer sdk);

  /** Returns a customizer that returns its argument if this one fails. */
  protected final <T> BiFunction<T, ConfigProperties, T> safely(
      BiFunction<T, ConfigProperties, T> customizer) {
    return safely(settings, customizer);
  }

  /** The same for one of the settings. */
  protected static <T> BiFunction<T, ConfigProperties, T> safely(
      String setting, BiFunction<T, ConfigProperties, T> customizer) {
    return (customized, properties) -> {
      try {
        return customizer.apply(customized, properties);
      } catch (Throwable e) {
        failed(setting, e);
        return customized;
      }
    };
  }

  private static void failed(String setting, Throwable e) {
    ElasticSettings.warn(
        setting + " has no effect. Remove the setting if this line appears again.", e);
  }
}
