/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.elastic;

import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The names of the settings, and how they are read. */
final class ElasticSettings {
  /** The value of {@code otel.propagators} that selects {@link ElasticPropagator}. */
  static final String PROPAGATOR = "elastic";

  /**
   * {@code true} writes the sample rate of the configured sampler into the {@code es} entry of the
   * trace state, at the root of each trace. The default is {@code false}.
   */
  static final String SAMPLE_RATE_ENABLED = "elastic.otel.tracestate.sample.rate.enabled";

  /**
   * Between commas, the patterns of baggage keys whose entries become attributes of each span that
   * starts. The default is none.
   *
   * @see WildcardMatcher
   */
  static final String BAGGAGE_TO_ATTACH = "elastic.otel.baggage.to.attach";

  private ElasticSettings() {}

  /** Returns false, after one warning, if the value is neither true nor false. */
  static boolean flag(ConfigProperties properties, String property) {
    String value = properties.getString(property);
    String trimmed = value == null ? "" : value.trim();
    if (trimmed.isEmpty() || trimmed.equalsIgnoreCase("false")) {
      return false;
    }
    if (trimmed.equalsIgnoreCase("true")) {
      return true;
    }
    warn(
        "Wrong value '"
            + trimmed
            + "' of "
            + property
            + ": this feature is off. Set the property to true or false.",
        null);
    return false;
  }

  static List<WildcardMatcher> matchers(ConfigProperties properties, String property) {
    String value = properties.getString(property);
    List<WildcardMatcher> matchers = new ArrayList<>();
    if (value != null) {
      for (String pattern : value.split(",", -1)) {
        if (!pattern.trim().isEmpty()) {
          matchers.add(new WildcardMatcher(pattern.trim()));
        }
      }
    }
    return matchers;
  }

  /** Never throws, because callers have nowhere else to report what failed. */
  static void warn(String message, @Nullable Throwable cause) {
    try {
      Logger.getLogger(ElasticSettings.class.getName()).log(Level.WARNING, message, cause);
    } catch (Throwable ofLogHandlers) {
      // There is nothing left to do.
    }
  }
}
