/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.config;

import io.flamespan.correlation.internal.log.Shortened;
import io.flamespan.correlation.internal.log.Trouble;
import java.util.Locale;
import java.util.logging.Level;

/** {@code otel.profiles.exporter}, which is to profiles what the same is to other signals. */
public final class ProfilesExporter {
  private static final String PROPERTY = "otel.profiles.exporter";
  private static final String OTLP = "otlp";
  private static final String NONE = "none";

  /** Returns where profiles go, like {@link Settings#EMBEDDED_PROFILER_OTLP_ENDPOINT}. */
  public static String endpoint(CorrelationConfig config) {
    String endpoint = config.get(Settings.EMBEDDED_PROFILER_OTLP_ENDPOINT);
    String exporter = exporter(config);
    switch (exporter) {
      case NONE:
        return "";
      case OTLP:
        return config.isSet(Settings.EMBEDDED_PROFILER_OTLP_ENDPOINT)
            ? endpoint // empty if it is wrong
            : Settings.SDK_ENDPOINT;
      default:
        if (!exporter.isEmpty()) {
          Trouble.warn(
              ProfilesExporter.class,
              "{0} is {1}, which does not export profiles: set it to otlp or none",
              PROPERTY,
              Shortened.of(exporter));
        }
        return endpoint;
    }
  }

  /** Says that nothing takes the samples that would be sent, if that is so. */
  public static void reportUnused(CorrelationConfig config) {
    if (config.get(Settings.EMBEDDED_PROFILER) == Switch.OFF && exporter(config).equals(OTLP)) {
      Trouble.log(
          ProfilesExporter.class,
          Level.INFO,
          "{0} is otlp, but the embedded profiler is off: set {1} to on",
          PROPERTY,
          Settings.EMBEDDED_PROFILER);
    }
  }

  private static String exporter(CorrelationConfig config) {
    String exporter = config.ofOthers(PROPERTY);
    return exporter == null ? "" : exporter.trim().toLowerCase(Locale.ROOT);
  }

  private ProfilesExporter() {}
}
