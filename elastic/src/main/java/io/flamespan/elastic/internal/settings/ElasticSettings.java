/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.settings;

import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The names of the settings, and methods to read them. */
public final class ElasticSettings {
  /** The value of {@code otel.propagators} that selects {@code ElasticPropagator}. */
  public static final String PROPAGATOR = "elastic";

  /**
   * {@code true} writes the sample rate of the configured sampler into the {@code es} entry of the
   * trace state, at the root of each trace. The default is {@code false}.
   */
  public static final String SAMPLE_RATE_ENABLED = "elastic.otel.tracestate.sample.rate.enabled";

  /**
   * The patterns of baggage keys, separated by commas, whose entries become attributes of each span
   * that starts. The default is none.
   *
   * @see WildcardMatcher
   */
  public static final String BAGGAGE_TO_ATTACH = "elastic.otel.baggage.to.attach";

  /**
   * {@code true} adds the attributes to each exported span that the specification of Elastic's
   * OpenTelemetry bridge infers from its existing ones. The default is {@code false}.
   */
  public static final String SPAN_INFERENCE_ENABLED = "elastic.otel.span.inference.enabled";

  /**
   * {@code true} names the product and the service in the header {@code User-Agent}. The default is
   * {@code false}.
   */
  public static final String USER_AGENT_ENABLED = "elastic.otel.transport.user.agent.enabled";

  /**
   * {@code true} compresses requests to other hosts, unless a setting of the SDK selects the
   * compression. The default is {@code false}.
   */
  public static final String GZIP_ENABLED = "elastic.otel.transport.gzip.enabled";

  /**
   * The base URLs of servers, separated by commas. If one fails, the next is used. The default is
   * none: the SDK's endpoint and its retries.
   */
  public static final String ENDPOINTS = "elastic.otel.transport.endpoints";

  /**
   * How many items may wait while no server accepts them, in addition to the batch that is being
   * sent. The limit applies to spans, log records and metrics separately. The default is 2,048.
   */
  public static final String BUFFER_SIZE = "elastic.otel.transport.buffer.size";

  /** {@code true} discards the data of the OTLP exporters. The default is {@code false}. */
  public static final String DISABLE_SEND = "elastic.otel.transport.disable.send";

  /**
   * {@code true} propagates traces through this process without recording spans. The default is
   * {@code false}.
   */
  public static final String CONTEXT_PROPAGATION_ONLY =
      "elastic.otel.transport.context.propagation.only";

  private static final int LOGGED_LENGTH = 100;

  private ElasticSettings() {}

  /** Returns whether the value is true. Logs a warning if it is neither true nor false. */
  public static boolean flag(ConfigProperties properties, String property) {
    String value = trimmed(properties, property);
    if (!value.isEmpty() && !value.equalsIgnoreCase("false") && !value.equalsIgnoreCase("true")) {
      warn(
          "Wrong value '"
              + shortened(value)
              + "' of "
              + property
              + ": this feature is off. Set the property to true or false.",
          null);
    }
    return isTrue(properties, property);
  }

  /** Returns the same without a warning, for a setting that is read in several places. */
  public static boolean isTrue(ConfigProperties properties, String property) {
    return trimmed(properties, property).equalsIgnoreCase("true");
  }

  /** Returns whether one of these settings has a value, so that there is something to do at all. */
  public static boolean isAnySet(ConfigProperties properties, String... settings) {
    for (String setting : settings) {
      if (!trimmed(properties, setting).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static String trimmed(ConfigProperties properties, String property) {
    String value = properties.getString(property);
    return value == null ? "" : value.trim();
  }

  /** Returns the patterns of a setting whose value is separated by commas. */
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

  /** Returns the value for a log line: its beginning and its length if it is long. */
  public static String shortened(String value) {
    return value.length() <= LOGGED_LENGTH
        ? value
        : value.substring(0, LOGGED_LENGTH) + "… (" + value.length() + " characters)";
  }

  /** Logs a warning. Never throws, because callers cannot report the failure elsewhere. */
  public static void warn(String message, @Nullable Throwable cause) {
    try {
      Logger.getLogger(ElasticSettings.class.getName()).log(Level.WARNING, message, cause);
    } catch (Throwable ofLogHandlers) {
      // The failure cannot be reported anywhere else.
    }
  }
}
