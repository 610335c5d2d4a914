/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import java.net.InetAddress;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who may ask: programs that know the token, and pages of this server. A foreign page in the
 * browser of somebody who may, also under a name that leads to this address, may not.
 */
final class Access {
  private static final String BEARER = "bearer ";
  private static final List<String> NAVIGATE = List.of("navigate");
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-f:.]+]|[a-z0-9.-]+)(:[0-9]{1,5})?");
  private static final Pattern ADDRESS = Pattern.compile("\\[.*|[0-9.]+");

  private final byte[] token;
  private final String cookie;
  private final boolean loopback;
  private final String bound;

  /**
   * @param bound the name or address that the server was told to bind
   */
  Access(String token, String bound, InetAddress address, int port) {
    this.token = token.getBytes(UTF_8);
    this.cookie = "flamespan-" + port; // as cookies are the same for all ports
    this.loopback = address.isLoopbackAddress();
    this.bound = bound.toLowerCase(Locale.ROOT);
  }

  /** Why the request is refused, or empty. */
  Optional<String> refusal(Headers headers, Map<String, String> query) {
    String host = only(headers, "Host").toLowerCase(Locale.ROOT);
    if (!isKnown(host)) {
      return Optional.of("this server is asked by its own address only, not by this Host");
    }
    if (headers.containsKey("Origin")
        && !only(headers, "Origin").toLowerCase(Locale.ROOT).equals("http://" + host)) {
      return Optional.of("pages of this server may ask it, not those of this Origin");
    }
    if (!headers.getOrDefault("Sec-Fetch-Mode", NAVIGATE).equals(NAVIGATE)
        && !OWN_SITES.contains(only(headers, "Sec-Fetch-Site"))) {
      return Optional.of("pages of this server may ask it, not those of another");
    }
    return hasToken(headers, query)
        ? Optional.empty()
        : Optional.of("open the address that the program has printed: it contains a token");
  }

  /** Names lead to where their owner wants at any time, so that only addresses are believed. */
  private boolean isKnown(String host) {
    Matcher parts = HOST.matcher(host);
    if (!parts.matches()) {
      return false;
    }
    String name = parts.group(1);
    return LOOPBACK.contains(name)
        || name.equals(bound)
        || (!loopback && ADDRESS.matcher(name).matches());
  }

  private boolean hasToken(Headers headers, Map<String, String> query) {
    boolean has = isToken(query.getOrDefault("token", ""));
    String authorization = only(headers, "Authorization");
    if (authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
      has |= isToken(authorization.substring(BEARER.length()).strip());
    }
    for (String line : headers.getOrDefault("Cookie", List.of())) {
      for (String one : line.split(";", -1)) {
        String[] parts = one.strip().split("=", 2);
        has |= parts.length == 2 && parts[0].equals(cookie) && isToken(parts[1]);
      }
    }
    return has;
  }

  /** Takes as long for each text of this length. */
  private boolean isToken(String text) {
    return MessageDigest.isEqual(token, text.getBytes(UTF_8));
  }

  /** Empty if there is none, or several. */
  private static String only(Headers headers, String name) {
    List<String> all = headers.getOrDefault(name, List.of());
    return all.size() == 1 ? all.get(0) : "";
  }

  /** The header by which the browser knows the token from now on. */
  String cookie() {
    return cookie + "=" + new String(token, UTF_8) + "; Path=/; HttpOnly; SameSite=Strict";
  }
}
