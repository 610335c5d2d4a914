/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.settings;

import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The names of the settings, and how they are read. */
public final class ElasticSettings {
  /** The value of {@code otel.propagators} that selects {@code ElasticPropagator}. */
  public static final String PROPAGATOR = "elastic";

  /**
   * {@code true} writes the sample rate of the configured sampler into the {@code es} entry of the
   * trace state, at the root of each trace. The default is {@code false}.
   */
  public static final String SAMPLE_RATE_ENABLED = "elastic.otel.tracestate.sample.rate.enabled";

  /**
   * Between commas, the patterns of baggage keys whose entries become attributes of each span that
   * starts. The default is none.
   *
   * @see WildcardMatcher
   */
  public static final String BAGGAGE_TO_ATTACH = "elastic.otel.baggage.to.attach";

  /**
   * {@code true} adds to each exported span what the specification of Elastic's bridge to
   * OpenTelemetry's API infers from the span's own attributes. The default is {@code false}.
   */
  public static final String SPAN_INFERENCE_ENABLED = "elastic.otel.span.inference.enabled";

  /**
   * {@code true} names the plug-in and the service in the header {@code User-Agent}. The default is
   * {@code false}.
   */
  public static final String USER_AGENT_ENABLED = "elastic.otel.transport.user.agent.enabled";

  /**
   * {@code true} compresses what is sent to other hosts, unless a setting of the SDK says how to
   * compress. The default is {@code false}.
   */
  public static final String GZIP_ENABLED = "elastic.otel.transport.gzip.enabled";

  /**
   * Between commas, the base URLs of servers that take each other's place when one fails. The
   * default is none: the SDK's own endpoint, and its own retries.
   */
  public static final String ENDPOINTS = "elastic.otel.transport.endpoints";

  /**
   * How many spans, log records or metrics may wait, for each of the three, in addition to the
   * batch that is being sent, while no server takes them. The default is 2,048.
   */
  public static final String BUFFER_SIZE = "elastic.otel.transport.buffer.size";

  /** {@code true} discards what the OTLP exporters would send. The default is {@code false}. */
  public static final String DISABLE_SEND = "elastic.otel.transport.disable.send";

  /**
   * {@code true} keeps traces going through this process without recording any span. The default is
   * {@code false}.
   */
  public static final String CONTEXT_PROPAGATION_ONLY =
      "elastic.otel.transport.context.propagation.only";

  private ElasticSettings() {}

  /** Returns false, after one warning, if the value is neither true nor false. */
  public static boolean flag(ConfigProperties properties, String property) {
    String value = trimmed(properties, property);
    if (!value.isEmpty() && !value.equalsIgnoreCase("false") && !value.equalsIgnoreCase("true")) {
      warn(
          "Wrong value '"
              + value
              + "' of "
              + property
              + ": this feature is off. Set the property to true or false.",
          null);
    }
    return isTrue(properties, property);
  }

  /** Does the same without a warning, for a setting that is read in several places. */
  public static boolean isTrue(ConfigProperties properties, String property) {
    return trimmed(properties, property).equalsIgnoreCase("true");
  }

  private static String trimmed(ConfigProperties properties, String property) {
    String value = properties.getString(property);
    return value == null ? "" : value.trim();
  }

  public static List<WildcardMatcher> matchers(ConfigProperties properties, String property) {
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
  public static void warn(String message, @Nullable Throwable cause) {
    try {
      Logger.getLogger(ElasticSettings.class.getName()).log(Level.WARNING, message, cause);
    } catch (Throwable ofLogHandlers) {
      // There is nothing left to do.
    }
  }
}
