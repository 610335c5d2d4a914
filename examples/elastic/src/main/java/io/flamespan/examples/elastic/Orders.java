/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.elastic;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Executors;

/**
 * A service that takes orders. Its callers and the consumers of its Kafka records may still run
 * Elastic's APM agent. The SDK, which the environment configures, traces the service.
 *
 * <p>It answers {@code GET /order} on a free port. The process that starts it sets two system
 * properties: the service writes its port into the file {@code example.port.file} when it is ready,
 * and it sends a request to the URL {@code example.stock} for every order.
 */
public final class Orders {
  private static final int REQUEST_THREADS = 4;

  private Orders() {}

  /** Serves requests until the process is terminated, then exports the remaining data. */
  public static void main(String[] args) throws IOException {
    OpenTelemetry openTelemetry = AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk();
    StockClient stock =
        new StockClient(openTelemetry, URI.create(System.getProperty("example.stock")));
    OrderRecords records = new OrderRecords(openTelemetry);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.setExecutor(Executors.newFixedThreadPool(REQUEST_THREADS));
    server.createContext("/order", new OrderHandler(openTelemetry, stock, records));
    server.start();
    announce(server.getAddress().getPort());
  }

  private static void announce(int port) throws IOException {
    String portFile = System.getProperty("example.port.file");
    Path unfinished = Path.of(portFile + ".new");
    Files.writeString(unfinished, Integer.toString(port));
    Files.move(unfinished, Path.of(portFile), StandardCopyOption.ATOMIC_MOVE);
  }
}
