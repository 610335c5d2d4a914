/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.elastic.transport;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The base URL of a server, such as {@code https://apm.example:8200}. Immutable. */
final class Endpoint {
  /** The names of this host in Elastic's specification of the transport, section "Compression". */
  private static final Set<String> LOCAL =
      new HashSet<>(Arrays.asList("localhost", "127.0.0.1", "::1", "0:0:0:0:0:0:0:1"));

  private final String url;
  private final URI uri;

  private Endpoint(String url, URI uri) {
    this.url = url;
    this.uri = uri;
  }

  /** Returns null if this is not a URL of HTTP or HTTPS with a host and without query. */
  static @Nullable Endpoint parse(String text) {
    try {
      URI uri = new URI(text);
      String scheme = uri.getScheme();
      boolean valid =
          ("http".equals(scheme) || "https".equals(scheme))
              && uri.getHost() != null
              && uri.getRawQuery() == null
              && uri.getRawFragment() == null;
      return valid ? new Endpoint(text, uri) : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  String url() {
    return url;
  }

  /** Returns the URL for a signal, as the SDK derives it from otel.exporter.otlp.endpoint. */
  String httpUrl(String signal) {
    return url + (url.endsWith("/") ? "v1/" : "/v1/") + signal;
  }

  boolean isLocal() {
    String host = uri.getHost().toLowerCase(Locale.ROOT);
    boolean inBrackets = host.startsWith("[") && host.endsWith("]");
    return LOCAL.contains(inBrackets ? host.substring(1, host.length() - 1) : host);
  }

  /** Leaves out the user information. */
  @Override
  public String toString() {
    return withoutUser(url);
  }

  /** Removes a user's name and password, also from a text that is no URL. */
  static String withoutUser(String text) {
    return text.replaceAll("//.*@", "//");
  }
}
