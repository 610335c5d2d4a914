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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The base URL of a server, such as {@code https://apm.example:8200}. Immutable. */
final class Endpoint {
  /** The names of this host in Elastic's specification of the transport, section "Compression". */
  private static final Set<String> LOCAL =
      new HashSet<>(Arrays.asList("localhost", "127.0.0.1", "::1", "0:0:0:0:0:0:0:1"));

  /** Also with an underscore, which URI does not take, but which is usual in containers. */
  private static final Pattern AUTHORITY = Pattern.compile("(?:[^@]*@)?([\\w.-]+)(?::\\d*)?");

  private final String url;
  private final String host;

  private Endpoint(String url, String host) {
    this.url = url;
    this.host = host;
  }

  /** Returns null if this is not a URL of HTTP or HTTPS with a host and without query. */
  static @Nullable Endpoint parse(String text) {
    try {
      URI uri = new URI(text);
      String scheme = uri.getScheme();
      String host = host(uri);
      boolean valid =
          ("http".equals(scheme) || "https".equals(scheme))
              && uri.getRawQuery() == null
              && uri.getRawFragment() == null;
      return valid && host != null ? new Endpoint(text, host) : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static @Nullable String host(URI uri) {
    if (uri.getHost() != null || uri.getRawAuthority() == null) {
      return uri.getHost();
    }
    Matcher authority = AUTHORITY.matcher(uri.getRawAuthority());
    return authority.matches() ? authority.group(1) : null;
  }

  String url() {
    return url;
  }

  /** Returns the URL for a signal, as the SDK derives it from otel.exporter.otlp.endpoint. */
  String httpUrl(String signal) {
    return url + (url.endsWith("/") ? "v1/" : "/v1/") + signal;
  }

  boolean isLocal() {
    String name = host.toLowerCase(Locale.ROOT);
    boolean inBrackets = name.startsWith("[") && name.endsWith("]");
    return LOCAL.contains(inBrackets ? name.substring(1, name.length() - 1) : name);
  }

  /** Leaves out the user information. */
  @Override
  public String toString() {
    return url.replaceAll("//.*@", "//");
  }
}
