/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings for the OTLP exporters of one SDK. Immutable. */
final class OtlpConfig {
  private static final int DEFAULT_BUFFER_SIZE = 2048;

  /** The value of the header, or null to keep the exporters' default. */
  final @Nullable String userAgent;

  final boolean gzip;

  /** Empty if the SDK's endpoint is used. */
  final List<Endpoint> endpoints;

  final int bufferSize;
  final boolean sendsNothing;

  private OtlpConfig(
      @Nullable String userAgent,
      boolean gzip,
      List<Endpoint> endpoints,
      int bufferSize,
      boolean sendsNothing) {
    this.userAgent = userAgent;
    this.gzip = gzip;
    this.endpoints = endpoints;
    this.bufferSize = bufferSize;
    this.sendsNothing = sendsNothing;
  }

  /** Reads the settings. Logs a warning for each invalid value, and ignores it. */
  static OtlpConfig read(ConfigProperties properties, Resource resource) {
    boolean disabled = ElasticSettings.flag(properties, ElasticSettings.DISABLE_SEND);
    boolean propagates = ElasticSettings.flag(properties, ElasticSettings.CONTEXT_PROPAGATION_ONLY);
    return new OtlpConfig(
        ElasticSettings.flag(properties, ElasticSettings.USER_AGENT_ENABLED)
            ? UserAgent.of(resource)
            : null,
        ElasticSettings.flag(properties, ElasticSettings.GZIP_ENABLED),
        endpoints(properties),
        bufferSize(properties),
        disabled || propagates);
  }

  boolean changesExporters() {
    return userAgent != null || gzip || !endpoints.isEmpty() || sendsNothing;
  }

  private static List<Endpoint> endpoints(ConfigProperties properties) {
    List<Endpoint> endpoints = new ArrayList<>();
    String configured = properties.getString(ElasticSettings.ENDPOINTS);
    String value = configured == null ? "" : configured;
    String[] urls = value.split(",", -1);
    for (int i = 0; i < urls.length; i++) {
      String url = urls[i].trim();
      if (!url.isEmpty()) {
        Endpoint endpoint = Endpoint.parse(url);
        if (endpoint == null) {
          warnOfEndpoint(mayHaveSecret(value) ? "number " + (i + 1) : "'" + url + "'");
          return Collections.emptyList();
        }
        endpoints.add(endpoint);
      }
    }
    return Collections.unmodifiableList(endpoints);
  }

  /**
   * Returns whether the value may contain a password, or a token in a query. Both may contain
   * commas, so any part of the value may belong to them.
   */
  private static boolean mayHaveSecret(String value) {
    return value.contains("@") || value.contains("?") || value.contains("#");
  }

  private static void warnOfEndpoint(String which) {
    ElasticSettings.warn(
        "Wrong value "
            + ElasticSettings.shortened(which)
            + " in "
            + ElasticSettings.ENDPOINTS
            + ", which has no effect: the SDK's endpoint is used. Set the property to base URLs"
            + " separated by commas, such as https://apm.example:8200.",
        null);
  }

  private static int bufferSize(ConfigProperties properties) {
    String value = properties.getString(ElasticSettings.BUFFER_SIZE);
    String number = value == null ? "" : value.trim();
    if (number.isEmpty()) {
      return DEFAULT_BUFFER_SIZE;
    }
    try {
      int size = Integer.parseInt(number);
      if (size > 0) {
        return size;
      }
    } catch (NumberFormatException e) {
      // Handled like a number below 1.
    }
    ElasticSettings.warn(
        "Wrong value '"
            + ElasticSettings.shortened(number)
            + "' of "
            + ElasticSettings.BUFFER_SIZE
            + ": "
            + DEFAULT_BUFFER_SIZE
            + " is used. Set the property to a number above 0.",
        null);
    return DEFAULT_BUFFER_SIZE;
  }
}
