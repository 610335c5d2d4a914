/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.config;

import io.flamespan.correlation.internal.log.Shortened;
import io.flamespan.correlation.internal.log.Trouble;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;

/**
 * {@code otel.profiles.exporter}, which is to profiles what the same is to other signals: a list of
 * words.
 */
public final class ProfilesExporter {
  private static final String PROPERTY = "otel.profiles.exporter";
  private static final String OTLP = "otlp";
  private static final String NONE = "none";

  /** Returns where profiles go, like {@link Settings#EMBEDDED_PROFILER_OTLP_ENDPOINT}. */
  public static String endpoint(CorrelationConfig config) {
    String endpoint = config.get(Settings.EMBEDDED_PROFILER_OTLP_ENDPOINT);
    List<String> exporters = exporters(config);
    if (exporters.contains(NONE)) {
      boolean isAlone = exporters.size() == 1;
      if (!isAlone || !endpoint.isEmpty()) {
        Trouble.log(
            ProfilesExporter.class,
            isAlone ? Level.INFO : Level.WARNING,
            "{0} is {1}, so no profiles are sent, whatever {2} is: remove none to send them",
            PROPERTY,
            shown(exporters),
            Settings.EMBEDDED_PROFILER_OTLP_ENDPOINT);
      }
      return "";
    }
    List<String> others = new ArrayList<>(exporters);
    if (others.remove(OTLP) && !config.isSet(Settings.EMBEDDED_PROFILER_OTLP_ENDPOINT)) {
      endpoint = Settings.SDK_ENDPOINT; // not if it is wrong
    }
    if (!others.isEmpty()) {
      Trouble.warn(
          ProfilesExporter.class,
          "{0} has {1}, which does not export profiles: set it to otlp or none",
          PROPERTY,
          shown(others));
    }
    String source = config.otherSourceOfSdk();
    if (source != null && endpoint.equals(Settings.SDK_ENDPOINT) && isDefault(config)) {
      Trouble.warn(
          ProfilesExporter.class,
          "Profiles have OpenTelemetry''s default endpoint: no property names one, and those in the"
              + " {0} of the SDK are not read. Set {1} there, and the property"
              + " otel.exporter.otlp.profiles.protocol if it is grpc",
          source,
          Settings.EMBEDDED_PROFILER_OTLP_ENDPOINT);
    }
    return endpoint;
  }

  /** Returns whether the SDK's exporters have no endpoint that is a property. */
  private static boolean isDefault(CorrelationConfig config) {
    return !ProcessProperties.isSet(config.ofOthers("otel.exporter.otlp.profiles.endpoint"))
        && !ProcessProperties.isSet(config.ofOthers("otel.exporter.otlp.endpoint"));
  }

  /** Says that nothing takes the samples that would be sent, if that is so. */
  public static void reportUnused(CorrelationConfig config) {
    List<String> exporters = exporters(config);
    boolean isEndpoint = !config.get(Settings.EMBEDDED_PROFILER_OTLP_ENDPOINT).isEmpty();
    if (config.get(Settings.EMBEDDED_PROFILER) == Switch.OFF
        && (exporters.contains(OTLP) || isEndpoint)
        && !exporters.contains(NONE)) {
      Trouble.log(
          ProfilesExporter.class,
          isEndpoint && !config.isSet(Settings.EMBEDDED_PROFILER) ? Level.WARNING : Level.INFO,
          "{0} is set, but no profiles are sent, as the embedded profiler is off: set {1} to on",
          isEndpoint ? Settings.EMBEDDED_PROFILER_OTLP_ENDPOINT : PROPERTY,
          Settings.EMBEDDED_PROFILER);
    }
  }

  private static List<String> exporters(CorrelationConfig config) {
    String text = config.ofOthers(PROPERTY);
    return text == null ? Collections.emptyList() : Setting.entries(text.toLowerCase(Locale.ROOT));
  }

  private static String shown(List<String> exporters) {
    return Shortened.of(String.join(",", exporters));
  }

  private ProfilesExporter() {}
}
