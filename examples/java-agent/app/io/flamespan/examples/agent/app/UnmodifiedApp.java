/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.agent.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * An application that is written and compiled without OpenTelemetry: {@code /busy} computes and
 * then requests {@code /idle}, which only waits. It listens on a free port of the loopback
 * interface; in a container, on all interfaces at the port {@code example.port}.
 */
public final class UnmodifiedApp {

  private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(150);
  private static final long IDLE_MILLIS = 30;

  private final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  private volatile long result;

  private UnmodifiedApp() throws IOException {
    server = HttpServer.create(address(), 0);
    server.setExecutor(Executors.newFixedThreadPool(4));
    server.createContext("/busy", this::busy);
    server.createContext("/idle", this::idle);
    server.start();
  }

  /**
   * Serves requests until the process is terminated, or the process {@code example.owner.pid} ends.
   */
  public static void main(String[] args) throws IOException {
    Long owner = Long.getLong("example.owner.pid");
    if (owner != null) {
      ProcessHandle.of(owner).ifPresent(process -> process.onExit().thenRun(() -> System.exit(1)));
    }
    String port = Integer.toString(new UnmodifiedApp().server.getAddress().getPort());
    String portFile = System.getProperty("example.port.file");
    if (portFile != null) {
      Path unfinished = Files.writeString(Path.of(portFile + ".new"), port);
      Files.move(unfinished, Path.of(portFile), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static InetSocketAddress address() {
    Integer port = Integer.getInteger("example.port");
    return port == null ? new InetSocketAddress("127.0.0.1", 0) : new InetSocketAddress(port);
  }

  private void busy(HttpExchange exchange) throws IOException {
    long value = 1;
    for (long start = System.nanoTime(); System.nanoTime() - start < BUSY_NANOS; ) {
      for (int i = 0; i < 1000; i++) {
        value = value * 31 + i;
      }
    }
    result = value;
    URI idle = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/idle");
    try {
      client.send(HttpRequest.newBuilder(idle).build(), BodyHandlers.discarding());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    answer(exchange);
  }

  private void idle(HttpExchange exchange) throws IOException {
    try {
      Thread.sleep(IDLE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    answer(exchange);
  }

  private static void answer(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }
}
