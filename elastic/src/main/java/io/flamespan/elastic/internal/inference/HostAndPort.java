/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Joins hosts and ports to service names, and extracts them from URLs. */
final class HostAndPort {
  private static final String SCHEME = "([A-Za-z][A-Za-z0-9+.-]*)://";
  private static final String USER_INFO = "(?:[^/?#\\\\]*@)?";
  private static final String HOST =
      "(\\[[0-9A-Fa-f:.]+]|[^\\s\\p{Cntrl}/?#\\\\@:\\[\\]%<>\"^|`{}]+)";
  private static final String PORT = "(?::([0-9]*))?";
  private static final Pattern URL =
      Pattern.compile(
          "\\s*" + SCHEME + USER_INFO + HOST + PORT + "\\s*(?:[/?#\\\\].*)?", Pattern.DOTALL);

  private HostAndPort() {}

  /**
   * Returns the host and the port, separated by a colon. An IPv6 address is put in brackets. A host
   * that already contains a port keeps it. The port is not added to the path of a UNIX socket.
   */
  static String join(String host, int port) {
    if (port == Port.NONE || host.indexOf('/') >= 0) {
      return host;
    }
    int firstColon = host.indexOf(':');
    if (firstColon < 0) {
      return host + ":" + port;
    }
    if (host.startsWith("[")) {
      return host.endsWith("]") ? host + ":" + port : host;
    }
    boolean isIpv6 = firstColon != host.lastIndexOf(':');
    return isIpv6 ? "[" + host + "]:" + port : host;
  }

  /** Returns the host and the port of a URL, or null if the text is not a URL with a host. */
  static @Nullable String ofUrl(String url) {
    Matcher parts = URL.matcher(url);
    if (!parts.matches()) {
      return null;
    }
    String host = parts.group(2).toLowerCase(Locale.ROOT);
    String port = parts.group(3);
    if (port == null || port.isEmpty()) {
      return join(host, Port.ofScheme(parts.group(1).toLowerCase(Locale.ROOT)));
    }
    int number = Port.parse(port);
    return number == Port.NONE ? null : join(host, number);
  }
}
