/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.files;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.otelprofiling.correlation.internal.config.Settings;
import io.otelprofiling.correlation.internal.log.Trouble;
import io.otelprofiling.embedded.EmbeddedSwitch;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Writes the spans and profiles of an autoconfigured SDK to files if the settings say where. */
public final class FilesAutoConfig implements AutoConfigurationCustomizerProvider {
  private volatile Resource resource = Resource.empty();

  /** Runs before the plug-in, which learns of all span processors, and after others. */
  @Override
  public int order() {
    return Integer.MAX_VALUE - 1;
  }

  @Override
  public void customize(AutoConfigurationCustomizer sdk) {
    sdk.addResourceCustomizer(
        (complete, properties) -> {
          resource = complete;
          return complete;
        });
    sdk.addTracerProviderCustomizer(this::addFiles);
  }

  private SdkTracerProviderBuilder addFiles(
      SdkTracerProviderBuilder tracing, ConfigProperties properties) {
    String directory = properties.getString(Settings.EMBEDDED_PROFILER_DIRECTORY.toString());
    if (directory == null || directory.trim().isEmpty()) {
      return tracing;
    }
    if (EmbeddedSwitch.isOff(properties.getString(Settings.EMBEDDED_PROFILER.toString()))) {
      warn(directory, "unless " + Settings.EMBEDDED_PROFILER + " is on or auto", null);
      return tracing;
    }
    try {
      String links = properties.getString(Settings.EMBEDDED_PROFILER_LINKS.toString());
      boolean nameLocalRoots = links != null && links.trim().equalsIgnoreCase(Settings.LOCAL_ROOT);
      return tracing.addSpanProcessor(
          RecordedProcess.spans(directory.trim(), resource, nameLocalRoots));
    } catch (Throwable e) {
      warn(directory, "because of an error", e);
      return tracing;
    }
  }

  private static void warn(String directory, String why, @Nullable Throwable cause) {
    Trouble.warn(
        Logger.getLogger(FilesAutoConfig.class.getName()),
        "Spans and profiles are not written to " + directory + ", " + why,
        cause);
  }
}
