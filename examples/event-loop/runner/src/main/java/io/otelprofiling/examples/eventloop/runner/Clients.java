/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.eventloop.runner;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Several concurrent clients, each of which begins a trace and opens a connection for each request.
 *
 * <p>The agent may begin a request of Vert.x 4 in the trace of the one before it on the same
 * connection: if it arrives before Vert.x is done with the other's response, Vert.x goes on to it
 * in a task of the other, and the agent carries the trace into tasks. It does so without the
 * plug-in as well.
 */
final class Clients {
  static final int CLIENTS = 6;

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(60);

  static {
    // Without this, the HTTP client refuses to send the header.
    System.setProperty("jdk.httpclient.allowRestrictedHeaders", "connection");
  }

  // The agent does not trace HTTP/2 requests, to which clients and Vert.x would upgrade.
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI application;

  Clients(URI application) {
    this.application = application;
  }

  /** Waits until the application answers, which may be later than it writes its port. */
  void awaitAnswer(String path) throws IOException, InterruptedException {
    for (long end = System.nanoTime() + CONNECT_TIMEOUT.toNanos(); ; Thread.sleep(100)) {
      try {
        if (status(path) == 200) {
          return;
        }
      } catch (IOException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
      }
    }
  }

  /**
   * Lets each client request the paths in turn for this time, and returns the number of requests.
   */
  int visit(List<String> paths, Duration time) throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      Callable<Integer> client = () -> visitAlone(paths, time);
      List<Callable<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(client);
      }
      int requests = 0;
      for (Future<Integer> sent : threads.invokeAll(clients)) {
        requests += sent.get();
      }
      return requests;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private int visitAlone(List<String> paths, Duration time)
      throws IOException, InterruptedException {
    int requests = 0;
    for (long end = System.nanoTime() + time.toNanos(); System.nanoTime() < end; ) {
      String path = paths.get(requests % paths.size());
      int status = status(path);
      if (status != 200) {
        throw new IOException(path + " answered with status " + status);
      }
      requests++;
    }
    return requests;
  }

  private int status(String path) throws IOException, InterruptedException {
    String traceParent = "00-" + randomId() + randomId() + "-" + randomId() + "-01";
    HttpRequest request =
        HttpRequest.newBuilder(application.resolve(path))
            .timeout(TIMEOUT)
            .header("traceparent", traceParent)
            .header("connection", "close")
            .build();
    return http.send(request, BodyHandlers.discarding()).statusCode();
  }

  private static String randomId() {
    // An id of zeros only would be invalid.
    return String.format("%016x", ThreadLocalRandom.current().nextLong() | 1);
  }
}
