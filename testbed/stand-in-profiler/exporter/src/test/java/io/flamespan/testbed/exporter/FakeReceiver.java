/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.exporter;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Receives exports. The nth answer is for the nth request, and the last one for all further ones.
 */
final class FakeReceiver implements AutoCloseable {
  static final int SILENT = 0;

  /** An answer with a status, or {@link #SILENT}. */
  record FakeAnswer(int status, byte[] body, boolean chunked) {
    static FakeAnswer of(int status) {
      return new FakeAnswer(status, new byte[0], false);
    }
  }

  record Request(String path, String contentType, String version, byte[] body) {}

  final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
  private final AtomicInteger answered = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<FakeAnswer> answers;
  private final HttpServer server;

  FakeReceiver(FakeAnswer... answers) throws IOException {
    this.answers = List.of(answers);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    FakeAnswer answer = answers.get(Math.min(answered.getAndIncrement(), answers.size() - 1));
    requests.add(
        new Request(
            exchange.getRequestURI().toString(),
            exchange.getRequestHeaders().getFirst("Content-Type"),
            exchange.getRequestHeaders().getFirst("otlp-profiles-development-version"),
            exchange.getRequestBody().readAllBytes()));
    if (answer.status() != SILENT) {
      int length = answer.body().length;
      exchange.sendResponseHeaders(
          answer.status(), answer.chunked() ? 0 : length == 0 ? -1 : length);
      exchange.getResponseBody().write(answer.body());
      exchange.close();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
