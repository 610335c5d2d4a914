/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Receives and discards what measured applications export. */
final class Sink implements AutoCloseable {
  private final HttpServer server;
  private final AtomicLong requests = new AtomicLong();

  Sink() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  /** Returns the JVM arguments that make an application export its spans to this sink. */
  List<String> exporterArguments() {
    return List.of(
        "-Dotel.metrics.exporter=none",
        "-Dotel.logs.exporter=none",
        "-Dotel.exporter.otlp.endpoint=http://127.0.0.1:" + server.getAddress().getPort(),
        "-Dotel.exporter.otlp.protocol=http/protobuf");
  }

  /** Returns how many requests have arrived. Each contains one batch of spans. */
  long requests() {
    return requests.get();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
