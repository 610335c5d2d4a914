/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import io.flamespan.correlation.internal.config.Setting;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import io.flamespan.correlation.internal.embedded.EmbeddedSettings;
import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where profiles go, and how. The properties are named like other signals', with {@code profiles}
 * in place of their names. With an endpoint of its own, properties of all signals do not apply: the
 * headers for one server are not for another one.
 */
final class Destination {
  private static final String OF_ALL_SIGNALS = "otel.exporter.otlp.";
  private static final String OF_PROFILES = OF_ALL_SIGNALS + "profiles.";
  private static final String HTTP = "http/protobuf";
  private static final String GRPC = "grpc";
  private static final String PATH = "v1development/profiles";
  private static final Pattern MILLIS = Pattern.compile("([0-9]{1,9}) ?(ms|s)?");
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  final boolean isGrpc;
  final URI uri;
  final Map<String, List<String>> headers;
  final boolean gzip;
  final Duration timeout;

  private final EmbeddedSettings settings;
  private final boolean isOfSdk;

  Destination(EmbeddedSettings settings) throws EmbeddedProfilerException {
    this.settings = settings;
    this.isOfSdk = settings.otlpEndpoint.equals(Settings.SDK_ENDPOINT);
    this.isGrpc = isGrpc(property("protocol", isOfSdk ? GRPC : HTTP));
    this.uri = uri();
    this.headers = headers(property("headers", ""));
    this.gzip = property("compression", "none").equals("gzip");
    this.timeout = timeout(property("timeout", ""));
  }

  private String property(String name, String defaultValue) {
    String value = settings.property(OF_PROFILES + name);
    if (isBlank(value) && isOfSdk) {
      value = settings.property(OF_ALL_SIGNALS + name);
    }
    return value == null || isBlank(value) ? defaultValue : value.trim();
  }

  private static boolean isBlank(@Nullable String value) {
    return value == null || value.trim().isEmpty();
  }

  private static boolean isGrpc(String protocol) throws EmbeddedProfilerException {
    switch (protocol.toLowerCase(Locale.ROOT)) {
      case GRPC:
        return true;
      case HTTP:
        return false;
      default:
        throw new EmbeddedProfilerException(
            "the protocol is " + protocol + ", set " + OF_PROFILES + "protocol to grpc or " + HTTP);
    }
  }

  private URI uri() throws EmbeddedProfilerException {
    String configured = settings.property(OF_PROFILES + "endpoint");
    String ofProfiles = configured == null ? "" : configured.trim();
    if (!isOfSdk) {
      URI own = uri(settings.otlpEndpoint, false);
      if (!ofProfiles.isEmpty() && !uri(ofProfiles, false).equals(own)) {
        throw new EmbeddedProfilerException( // whose are the headers?
            "there are two endpoints: set "
                + Settings.EMBEDDED_PROFILER_OTLP_ENDPOINT
                + " to "
                + Settings.SDK_ENDPOINT
                + ", or remove "
                + OF_PROFILES
                + "endpoint");
      }
      return own;
    }
    return ofProfiles.isEmpty()
        ? uri(property("endpoint", "http://localhost:" + defaultPort()), true)
        : uri(ofProfiles, false);
  }

  private String defaultPort() {
    return isGrpc ? "4317" : "4318";
  }

  /**
   * Returns an endpoint, with a path if HTTP needs one and it has none of its own.
   *
   * @param isOfAll whether it is also that of other signals, with other paths
   */
  private URI uri(String url, boolean isOfAll) throws EmbeddedProfilerException {
    try {
      URI uri = new URI(url);
      if (uri.getScheme() == null || uri.getRawAuthority() == null) {
        throw new URISyntaxException(url, "a scheme or host is missing");
      }
      String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
      if (isGrpc) {
        path = "";
      } else if (isOfAll || path.equals("/")) {
        path += (path.endsWith("/") ? "" : "/") + PATH;
      }
      String query = isGrpc || uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
      return new URI(uri.getScheme() + "://" + uri.getRawAuthority() + path + query);
    } catch (URISyntaxException e) {
      throw new EmbeddedProfilerException(
          "the endpoint is no URL such as http://localhost:"
              + defaultPort()
              + ": "
              + e.getReason()
              + ": "
              + Setting.withoutSecrets(url));
    }
  }

  private static Map<String, List<String>> headers(String text) throws EmbeddedProfilerException {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    headers.put(ProfilesVersion.HEADER, Collections.singletonList(ProfilesVersion.SENT));
    for (String header : text.split(",", -1)) {
      int end = header.indexOf('=');
      if (end > 0) {
        String value = decode(header.substring(end + 1).trim());
        headers.put(header.substring(0, end).trim(), Collections.singletonList(value));
      }
    }
    return headers;
  }

  private static String decode(String value) throws EmbeddedProfilerException {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), "UTF-8");
    } catch (IllegalArgumentException | UnsupportedEncodingException e) {
      throw new EmbeddedProfilerException("a header is not percent-encoded as it should be");
    }
  }

  private static Duration timeout(String text) {
    Matcher millis = MILLIS.matcher(text);
    if (!millis.matches()) {
      return DEFAULT_TIMEOUT;
    }
    long number = Long.parseLong(millis.group(1));
    return "s".equals(millis.group(2)) ? Duration.ofSeconds(number) : Duration.ofMillis(number);
  }

  @Override
  public String toString() {
    boolean isDefault = isOfSdk && property("endpoint", "").isEmpty();
    String url = uri.getScheme() + "://" + uri.getRawAuthority().replaceAll(".*@", "");
    return url
        + uri.getRawPath()
        + " by "
        + (isGrpc ? GRPC : HTTP)
        + (isDefault ? " (no endpoint is set: OpenTelemetry's default)" : "");
  }
}
