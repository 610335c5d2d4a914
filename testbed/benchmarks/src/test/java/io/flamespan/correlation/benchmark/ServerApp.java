/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A small HTTP server for the Java agent. It does not use OpenTelemetry itself. */
final class ServerApp {
  private static final int THREADS = 8;

  public static void main(String[] arguments) throws Exception {
    byte[] body = "quick".getBytes(StandardCharsets.UTF_8);
    AtomicInteger threads = new AtomicInteger();
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.setExecutor(
        Executors.newFixedThreadPool(
            THREADS, task -> new Thread(task, "request-" + threads.incrementAndGet())));
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    System.out.println("started on port " + server.getAddress().getPort());
  }

  private ServerApp() {}
}
