/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

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
  /** The names of this host in Elastic's transport specification, section "Compression". */
  private static final Set<String> LOCAL =
      new HashSet<>(Arrays.asList("localhost", "127.0.0.1", "::1", "0:0:0:0:0:0:0:1"));

  /** Allows underscores in host names, which are common in containers, but rejected by URI. */
  private static final Pattern AUTHORITY = Pattern.compile("(?:[^@]*@)?([\\w.-]+)(?::(\\d{0,5}))?");

  private static final int NO_PORT = -1; // as in URI
  private static final int MAX_PORT = 65_535;

  private final String url;
  private final String host;

  private Endpoint(String url, String host) {
    this.url = url;
    this.host = host;
  }

  /**
   * Returns the endpoint, or null if the text is not an HTTP or HTTPS URL with a host and without a
   * query or fragment. The scheme is converted to lower case, which exporters require.
   */
  static @Nullable Endpoint parse(String text) {
    try {
      URI uri = new URI(text);
      if (uri.getScheme() == null
          || uri.getRawAuthority() == null
          || uri.getRawQuery() != null
          || uri.getRawFragment() != null) {
        return null;
      }
      String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
      String host = uri.getHost();
      int port = uri.getPort();
      if (host == null) {
        Matcher authority = AUTHORITY.matcher(uri.getRawAuthority());
        if (!authority.matches()) {
          return null;
        }
        host = authority.group(1);
        port = port(authority.group(2));
      }
      boolean valid =
          (scheme.equals("http") || scheme.equals("https"))
              && (port == NO_PORT || (port > 0 && port <= MAX_PORT));
      return valid ? new Endpoint(scheme + text.substring(scheme.length()), host) : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static int port(@Nullable String digits) {
    return digits == null || digits.isEmpty() ? NO_PORT : Integer.parseInt(digits);
  }

  String url() {
    return url;
  }

  /** Returns the URL of a signal, as the SDK derives it from otel.exporter.otlp.endpoint. */
  String httpUrl(String signal) {
    return url + (url.endsWith("/") ? "v1/" : "/v1/") + signal;
  }

  boolean isLocal() {
    String name = host.toLowerCase(Locale.ROOT);
    boolean inBrackets = name.startsWith("[") && name.endsWith("]");
    return LOCAL.contains(inBrackets ? name.substring(1, name.length() - 1) : name);
  }

  /** Returns the URL without user information. */
  @Override
  public String toString() {
    return url.replaceAll("//.*@", "//");
  }
}
