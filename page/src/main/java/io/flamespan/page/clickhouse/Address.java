/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The address of ClickHouse, and the user for its queries.
 *
 * @param url without user and password
 */
public record Address(String url, String database, String user, String password) {
  private static final String FORM =
      "it has to look like http://user:password@localhost:8123/?database=otel";

  /**
   * Takes user and password from the URL, or else from CLICKHOUSE_USER and CLICKHOUSE_PASSWORD.
   *
   * @throws IllegalArgumentException with a message without the password
   */
  public static Address of(String text, Map<String, String> environment) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      // The cause contains the text, which may contain a password.
      throw new IllegalArgumentException("--clickhouse is not a URL: " + FORM);
    }
    boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
    if (!http || uri.getHost() == null) {
      throw new IllegalArgumentException(
          "--clickhouse is not the URL of ClickHouse's HTTP interface: " + FORM);
    }
    if (!uri.getPath().isEmpty() && !uri.getPath().equals("/")) {
      throw new IllegalArgumentException(
          "--clickhouse has the path " + uri.getPath() + ": " + FORM);
    }
    int port = uri.getPort() < 0 ? (uri.getScheme().equals("http") ? 8123 : 8443) : uri.getPort();
    String[] userInfo = uri.getRawUserInfo() == null ? null : uri.getRawUserInfo().split(":", 2);
    return new Address(
        uri.getScheme() + "://" + uri.getHost() + ":" + port,
        database(uri),
        userInfo == null
            ? environment.getOrDefault("CLICKHOUSE_USER", "default")
            : decode(userInfo[0]),
        userInfo == null || userInfo.length < 2
            ? environment.getOrDefault("CLICKHOUSE_PASSWORD", "")
            : decode(userInfo[1]));
  }

  private static String database(URI uri) {
    if (uri.getRawQuery() == null) {
      return "default";
    }
    String[] parameter = uri.getRawQuery().split("=", 2);
    if (!parameter[0].equals("database") || parameter.length < 2 || parameter[1].contains("&")) {
      throw new IllegalArgumentException(
          "--clickhouse has a parameter other than database: " + FORM);
    }
    return decode(parameter[1]);
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Without user and password. */
  @Override
  public String toString() {
    return url + "/?database=" + database;
  }
}
