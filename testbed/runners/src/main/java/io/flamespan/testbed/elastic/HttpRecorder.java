/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;

/** Answers every HTTP request with status 200 and no body, or with 503. */
final class HttpRecorder implements Server {
  private static final String GZIP = "gzip";

  private final Recorder recorder;
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final HttpServer server;

  HttpRecorder(String host, Recorder recorder) throws IOException {
    this.recorder = recorder;
    server = HttpServer.create(new InetSocketAddress(host, 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try {
      boolean taken = recorder.takes(request(exchange));
      exchange.sendResponseHeaders(taken ? 200 : 503, -1);
    } finally {
      exchange.close();
    }
  }

  private static RecordedRequest request(HttpExchange exchange) throws IOException {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, List.copyOf(values)));
    List<String> encodings = headers.getOrDefault("content-encoding", List.of());
    String encoding = encodings.isEmpty() ? RecordedRequest.NOT_ENCODED : encodings.get(0);
    return new RecordedRequest(
        exchange.getRequestURI().getPath(),
        headers,
        encoding,
        decoded(exchange.getRequestBody().readAllBytes(), encoding));
  }

  private static byte[] decoded(byte[] body, String encoding) throws IOException {
    if (!encoding.equals(GZIP)) {
      return body;
    }
    try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(body))) {
      return plain.readAllBytes();
    }
  }

  @Override
  public String url() {
    return "http:/" + server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
