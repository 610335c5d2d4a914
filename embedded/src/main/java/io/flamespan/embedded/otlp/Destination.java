/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import io.flamespan.correlation.internal.config.Setting;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import io.flamespan.correlation.internal.embedded.EmbeddedSettings;
import io.flamespan.correlation.internal.log.Trouble;
import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
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
  private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern HEADER_VALUE = Pattern.compile("[\t -~]*");
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,12}) *(ns|us|ms|s|m|h|d|)");
  private static final Pattern HOST = Pattern.compile("(.*@)?([^@:]+|\\[.*\\])(:([0-9]*))?");
  private static final Pattern PORT = Pattern.compile("[1-9][0-9]{0,4}");
  private static final int MAX_PORT = 65_535;
  private static final double NANOS_OF_A_MILLI = 1e6;
  private static final String DEFAULT_TIMEOUT = "10s";
  private static final String[] CERTIFICATES = {"certificate", "client.key", "client.certificate"};

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
    this.isGrpc = isGrpc();
    this.uri = uri();
    this.headers = headers();
    this.gzip = gzip();
    this.timeout = timeout();
    checkCertificates();
  }

  private String property(String name, String defaultValue) {
    String value = value(nameOf(name));
    return value.isEmpty() ? defaultValue : value;
  }

  /** Returns the name of the property that applies. */
  private String nameOf(String name) {
    boolean isOfAll = isOfSdk && value(OF_PROFILES + name).isEmpty();
    return (isOfAll ? OF_ALL_SIGNALS : OF_PROFILES) + name;
  }

  private String value(String property) {
    String value = settings.property(property);
    return value == null ? "" : value.trim();
  }

  private boolean isGrpc() throws EmbeddedProfilerException {
    switch (property("protocol", isOfSdk ? GRPC : HTTP).toLowerCase(Locale.ROOT)) {
      case GRPC:
        return true;
      case HTTP:
        return false;
      default:
        throw new EmbeddedProfilerException(wrong("protocol", GRPC + " or " + HTTP));
    }
  }

  private URI uri() throws EmbeddedProfilerException {
    String ofProfiles = value(OF_PROFILES + "endpoint");
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
      String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
      if (!scheme.equals("http") && !scheme.equals("https")) {
        throw new URISyntaxException(url, "the scheme is neither http nor https");
      }
      Matcher host = HOST.matcher(uri.getRawAuthority());
      if (!host.matches()) { // a part of a password may be quoted
        throw new EmbeddedProfilerException(
            "the endpoint has a port that is no number: encode /, ? and # of a password");
      }
      String port = host.group(4);
      if (port != null
          && !port.isEmpty()
          && (!PORT.matcher(port).matches() || Integer.parseInt(port) > MAX_PORT)) {
        throw new URISyntaxException(url, "the port is not from 1 to " + MAX_PORT);
      }
      String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
      if (isGrpc) {
        path = "";
      } else if (isOfAll || path.equals("/")) {
        path += (path.endsWith("/") ? "" : "/") + PATH;
      }
      String query = isGrpc || uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
      return new URI(scheme + "://" + uri.getRawAuthority() + path + query);
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

  /** Senders say what is wrong with a header, and with it the key that its value may be. */
  private Map<String, List<String>> headers() throws EmbeddedProfilerException {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    headers.put(ProfilesVersion.HEADER, Collections.singletonList(ProfilesVersion.SENT));
    for (String header : property("headers", "").split(",", -1)) {
      if (header.trim().isEmpty()) {
        continue;
      }
      String[] parts = header.split("=", 2);
      String name = parts[0].trim();
      if (parts.length < 2 || !HEADER_NAME.matcher(name).matches()) {
        throw new EmbeddedProfilerException(
            nameOf("headers") + " is not a list such as name=value,name=value");
      }
      String value = decode(parts[1].trim());
      if (value == null || !HEADER_VALUE.matcher(value).matches()) {
        throw new EmbeddedProfilerException(
            "the value of "
                + Client.printable(name)
                + " in "
                + nameOf("headers")
                + " has characters other than printable ASCII, or % without two hexadecimal"
                + " digits: set it to what the server expects");
      }
      headers.put(name, Collections.singletonList(value));
    }
    return headers;
  }

  private static @Nullable String decode(String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), "UTF-8");
    } catch (IllegalArgumentException | UnsupportedEncodingException e) {
      return null;
    }
  }

  private boolean gzip() throws EmbeddedProfilerException {
    String compression = property("compression", "none").toLowerCase(Locale.ROOT);
    if (!compression.equals("gzip") && !compression.equals("none")) {
      refuse("compression", wrong("compression", "gzip or none"));
    }
    return compression.equals("gzip");
  }

  /** As the SDK reads it: 0 is no limit. */
  private Duration timeout() throws EmbeddedProfilerException {
    Matcher duration = DURATION.matcher(property("timeout", DEFAULT_TIMEOUT));
    if (!duration.matches()) {
      throw new EmbeddedProfilerException(
          wrong("timeout", "a number and ns, us, ms, s, m, h or d"));
    }
    double millis =
        Double.parseDouble(duration.group(1))
            * unit(duration.group(2)).getDuration().toNanos()
            / NANOS_OF_A_MILLI;
    return Duration.ofMillis(
        millis == 0 ? Integer.MAX_VALUE : (long) Math.max(1, Math.min(millis, Integer.MAX_VALUE)));
  }

  private static ChronoUnit unit(String text) {
    switch (text) {
      case "ns":
        return ChronoUnit.NANOS;
      case "us":
        return ChronoUnit.MICROS;
      case "s":
        return ChronoUnit.SECONDS;
      case "m":
        return ChronoUnit.MINUTES;
      case "h":
        return ChronoUnit.HOURS;
      case "d":
        return ChronoUnit.DAYS;
      default:
        return ChronoUnit.MILLIS;
    }
  }

  /** Only the SDK's internal classes read these files. */
  private void checkCertificates() throws EmbeddedProfilerException {
    for (String name : CERTIFICATES) {
      if (uri.getScheme().equals("https") && !property(name, "").isEmpty()) {
        refuse(
            name,
            nameOf(name)
                + " does not apply to profiles: TLS uses the trust store of the JVM"
                + " (javax.net.ssl.trustStore), and no certificate of a client");
      }
    }
  }

  /** A property of all signals may be right for others, and profiles may do without it. */
  private void refuse(String name, String problem) throws EmbeddedProfilerException {
    if (nameOf(name).startsWith(OF_PROFILES)) {
      throw new EmbeddedProfilerException(problem);
    }
    Trouble.warn(Destination.class, "{0}; they are sent without it", problem);
  }

  private String wrong(String name, String expected) {
    return nameOf(name)
        + " is "
        + Client.printable(property(name, ""))
        + ": set "
        + OF_PROFILES
        + name
        + " to "
        + expected;
  }

  @Override
  public String toString() {
    boolean isDefault = isOfSdk && property("endpoint", "").isEmpty();
    return Setting.withoutSecrets(uri.toString())
        + " by "
        + (isGrpc ? GRPC : HTTP)
        + (isDefault ? " (no endpoint is set: OpenTelemetry's default)" : "");
  }
}
