/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/**
 * Serves one request that it sends itself, and prints a line afterwards. It does not use
 * OpenTelemetry because it runs with the Java agent.
 */
final class FirstRequestApp {
  public static void main(String[] arguments) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    try (InputStream answer = uri.toURL().openStream()) {
      answer.readAllBytes();
    }
    System.out.println(StartUp.ANSWER);
    Thread.sleep(TimeUnit.MINUTES.toMillis(1));
  }

  private FirstRequestApp() {}
}
