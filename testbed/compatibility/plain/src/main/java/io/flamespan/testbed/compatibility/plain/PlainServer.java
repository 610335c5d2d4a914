/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.plain;

import io.flamespan.testbed.compatibility.workload.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A minimal HTTP server with one request per connection, because some runtimes lack that of the
 * JDK.
 */
public final class PlainServer {
  private static final int THREADS = 4;
  private static final int BACKLOG = 100;
  private static final int OWN_REQUESTS = 20;
  private static final String TRACE_PARENT = "traceparent: ";
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private final ServerSocket socket;
  private final Requests requests;

  private PlainServer(ServerSocket socket, Requests requests) {
    this.socket = socket;
    this.requests = requests;
  }

  /** Sends a few requests to itself, then reports the port. Separate threads serve all requests. */
  public static void start(Requests requests) throws IOException {
    ServerSocket socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    PlainServer server = new PlainServer(socket, requests);
    for (int i = 0; i < THREADS; i++) {
      new Thread(server::run, "server-" + i).start();
    }
    for (int i = 0; i < OWN_REQUESTS; i++) {
      server.request();
    }
    Workload.listensOn(socket.getLocalPort());
  }

  private void request() throws IOException {
    try (Socket client = new Socket(socket.getInetAddress(), socket.getLocalPort())) {
      String id = "0123456789abcdef";
      String request =
          "GET / HTTP/1.1\r\n" + TRACE_PARENT + "00-" + id + id + "-" + id + "-01\r\n\r\n";
      client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      client.getInputStream().readAllBytes();
    }
  }

  private void run() {
    while (true) {
      try (Socket client = socket.accept()) {
        requests.serve(traceParent(client));
        client.getOutputStream().write(ANSWER);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      requests.serveNobody();
    }
  }

  /** Reads a request to its end. */
  private static String traceParent(Socket client) throws IOException {
    BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
    String traceParent = null;
    for (String line = reader.readLine(); !line.isEmpty(); line = reader.readLine()) {
      if (line.regionMatches(true, 0, TRACE_PARENT, 0, TRACE_PARENT.length())) {
        traceParent = line.substring(TRACE_PARENT.length());
      }
    }
    return traceParent;
  }

  /** The work of the server. */
  public interface Requests {
    /** Computes for a request with this header, and traces it. */
    void serve(String traceParent);

    /** Computes for no request. */
    void serveNobody();
  }
}
