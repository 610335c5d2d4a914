/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes requests on to a server, and counts those whose body contains one of some texts. */
final class CountingProxy implements AutoCloseable {
  private static final Set<String> OF_CONNECTIONS =
      Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade");

  private final HttpServer server =
      HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, AtomicInteger> counted = new HashMap<>();
  private final int target;
  private String awaited = "";
  private Runnable action = () -> {};

  CountingProxy(int target, String... texts) throws IOException {
    this.target = target;
    for (String text : texts) {
      counted.put(text, new AtomicInteger());
    }
    server.createContext("/", this::pass);
    server.start();
  }

  private void pass(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String read = new String(body, StandardCharsets.ISO_8859_1);
    if (!awaited.isEmpty() && read.contains(awaited)) {
      awaited = "";
      action.run();
    }
    counted.forEach((text, count) -> count.addAndGet(read.contains(text) ? 1 : 0));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + target + exchange.getRequestURI()))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (!OF_CONNECTIONS.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
              }
            });
    try (exchange) {
      HttpResponse<byte[]> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      response
          .headers()
          .map()
          .forEach(
              (name, values) -> {
                if (!OF_CONNECTIONS.contains(name.toLowerCase(Locale.ROOT))) {
                  exchange.getResponseHeaders().put(name, values);
                }
              });
      exchange.sendResponseHeaders(response.statusCode(), 0);
      exchange.getResponseBody().write(response.body());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Does this before the first request that contains the text is passed on. */
  void before(String text, Runnable first) {
    action = first;
    awaited = text;
  }

  int port() {
    return server.getAddress().getPort();
  }

  int counted(String text) {
    return counted.get(text).get();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
