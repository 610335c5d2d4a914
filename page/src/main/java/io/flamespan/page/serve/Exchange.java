/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A request and its answer. */
final class Exchange {
  static final String HTML = "text/html; charset=utf-8";
  static final String JSON = "application/json";
  static final String TEXT = "text/plain; charset=utf-8";
  static final String MARKDOWN = "text/markdown; charset=utf-8";

  private static final String NOTHING = "default-src 'none'; frame-ancestors 'none'";

  /** Writes the body of an answer. */
  @FunctionalInterface
  interface Body {
    void write(OutputStream out) throws IOException;
  }

  private final HttpExchange http;
  private final Map<String, String> query;

  Exchange(HttpExchange http) {
    this.http = http;
    this.query = query(http.getRequestURI().getRawQuery());
    Headers headers = http.getResponseHeaders();
    headers.set("Cache-Control", "no-store");
    headers.set("Content-Security-Policy", NOTHING);
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
  }

  /** The query as it was sent, without this parameter. */
  String queryWithout(String name) {
    String raw = http.getRequestURI().getRawQuery();
    return Arrays.stream(raw == null ? new String[0] : raw.split("&", -1))
        .filter(one -> !decoded(one.split("=", 2)[0]).equals(name))
        .collect(Collectors.joining("&"));
  }

  private static Map<String, String> query(@Nullable String raw) {
    Map<String, String> all = new HashMap<>();
    for (String one : raw == null ? new String[0] : raw.split("&", -1)) {
      String[] parts = one.split("=", 2);
      all.put(decoded(parts[0]), parts.length == 2 ? decoded(parts[1]) : "");
    }
    return all;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, UTF_8);
  }

  Map<String, String> query() {
    return query;
  }

  Headers headers() {
    return http.getRequestHeaders();
  }

  /** As it was sent, so that nothing in it means a directory. */
  String path() {
    String path = http.getRequestURI().getRawPath();
    return path == null ? "" : path;
  }

  boolean isGet() {
    return http.getRequestMethod().equals("GET") || http.getRequestMethod().equals("HEAD");
  }

  boolean isPost() {
    return http.getRequestMethod().equals("POST");
  }

  Exchange with(String header, String value) {
    http.getResponseHeaders().set(header, value);
    return this;
  }

  /** At most this many bytes, or null if there are more. */
  byte @Nullable [] body(int most) throws IOException {
    byte[] body = http.getRequestBody().readNBytes(most + 1);
    return body.length > most ? null : body;
  }

  void answer(int status, String type, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    answer(status, type, out -> out.write(body));
  }

  void answer(int status, String type, Body body) throws IOException {
    with("Content-Type", type);
    if (http.getRequestMethod().equals("HEAD")) {
      answer(status);
      return;
    }
    http.sendResponseHeaders(status, 0);
    try (OutputStream out = http.getResponseBody()) {
      body.write(out);
    }
  }

  /** Without a body. */
  void answer(int status) throws IOException {
    http.sendResponseHeaders(status, -1);
  }

  /** A line for people. */
  void refuse(int status, String line) throws IOException {
    answer(status, TEXT, line + "\n");
  }
}
