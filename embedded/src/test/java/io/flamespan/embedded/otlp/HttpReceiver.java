/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import com.google.protobuf.CodedOutputStream;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A receiver of {@code http/protobuf}. */
final class HttpReceiver extends Receiver {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  /** Another server, or null. */
  volatile String redirectsTo;

  HttpReceiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    Map<String, String> headers = new TreeMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
    byte[] message = exchange.getRequestBody().readAllBytes();
    received.add(new Received(exchange.getRequestURI().getPath(), headers, message));
    try {
      mayAnswer.await();
    } catch (InterruptedException e) {
      // The server is closed.
    }
    if (redirectsTo != null) {
      exchange.getResponseHeaders().set("Location", redirectsTo);
    }
    byte[] answer = status == 0 ? success() : reason.isEmpty() ? new byte[0] : refusal();
    exchange.sendResponseHeaders(
        status == 0 ? 200 : status, answer.length == 0 ? -1 : answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  /** A {@code google.rpc.Status} with the code INVALID_ARGUMENT. */
  private byte[] refusal() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream status = CodedOutputStream.newInstance(bytes);
    status.writeInt32(1, 3);
    status.writeString(2, reason);
    status.flush();
    return bytes.toByteArray();
  }

  @Override
  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
