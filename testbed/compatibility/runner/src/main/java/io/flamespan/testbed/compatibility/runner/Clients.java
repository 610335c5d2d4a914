/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.runner;

import io.flamespan.testbed.harness.ReceivedTraces;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Several concurrent clients, which begin a new trace and open a new connection for each request.
 *
 * <p>On a shared connection, the agent may begin a Vert.x 4 request in the trace of the previous
 * request: if a request arrives before Vert.x has finished the previous response, Vert.x handles it
 * in a task of the previous request, and the agent propagates traces into tasks. This also happens
 * without the plug-in.
 */
final class Clients {

  /** The ids of the traces that the clients began. */
  record Visit(Set<String> warmUp, Set<String> traces) {}

  private static final int CLIENTS = 6;
  private static final int WARM_UP_REQUESTS = 10;
  private static final int REQUESTS = 40;
  private static final Duration TIME = Duration.ofSeconds(4);
  // Only a failing run takes this long.
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration ARRIVAL_TIMEOUT = Duration.ofSeconds(60);

  static {
    // Without this, the HTTP client refuses to send the header.
    System.setProperty("jdk.httpclient.allowRestrictedHeaders", "connection");
  }

  // The agent does not trace HTTP/2 requests, to which clients and Vert.x would upgrade.
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI application;
  private final List<String> paths;
  private final Set<String> warmUp = new HashSet<>();

  Clients(URI application, List<String> paths) {
    this.application = application;
    this.paths = paths;
  }

  /** Waits until the application answers, which may be after it has reported its port. */
  void warmUp() throws IOException, InterruptedException {
    for (long end = System.nanoTime() + CONNECT_TIMEOUT.toNanos(); ; Thread.sleep(100)) {
      try {
        if (get(paths.get(0), warmUp) == 200) {
          break;
        }
      } catch (IOException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
      }
      if (System.nanoTime() > end) {
        throw new IOException(
            paths.get(0) + " did not answer with status 200 within " + CONNECT_TIMEOUT);
      }
    }
    warmUp.addAll(together(Duration.ZERO, WARM_UP_REQUESTS, () -> true));
  }

  /**
   * Lets each client request the paths in turn until there are enough samples, then waits until a
   * span of each request has arrived. Does not fail if spans or samples are missing: the checks
   * report it.
   */
  Visit visit(BooleanSupplier enough, Supplier<ReceivedTraces> received)
      throws IOException, InterruptedException {
    Set<String> traces = together(TIME, REQUESTS, enough);
    long end = System.nanoTime() + ARRIVAL_TIMEOUT.toNanos();
    while (!received.get().traceIds().containsAll(traces) && System.nanoTime() < end) {
      Thread.sleep(200);
    }
    return new Visit(warmUp, traces);
  }

  /**
   * Lets all clients send requests for a minimum time and number, and until there are enough
   * samples.
   */
  private Set<String> together(Duration time, int least, BooleanSupplier enough)
      throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      Callable<Set<String>> client = () -> alone(time, least, enough);
      List<Callable<Set<String>>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(client);
      }
      Set<String> traces = new HashSet<>();
      for (Future<Set<String>> sent : threads.invokeAll(clients)) {
        traces.addAll(sent.get());
      }
      return traces;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private Set<String> alone(Duration time, int least, BooleanSupplier enough)
      throws IOException, InterruptedException {
    Set<String> traces = new HashSet<>();
    long begin = System.nanoTime();
    for (int i = 0; i < least || isBefore(begin, time, enough); i++) {
      String path = paths.get(i % paths.size());
      int status = get(path, traces);
      if (status != 200) {
        throw new IOException(path + " answered with status " + status);
      }
    }
    return traces;
  }

  private static boolean isBefore(long begin, Duration time, BooleanSupplier enough) {
    long passed = System.nanoTime() - begin;
    return passed < time.toNanos() || (passed < LIMIT.toNanos() && !enough.getAsBoolean());
  }

  private int get(String path, Set<String> traces) throws IOException, InterruptedException {
    String traceId = randomId() + randomId();
    traces.add(traceId);
    HttpRequest request =
        HttpRequest.newBuilder(application.resolve(path))
            .timeout(TIMEOUT)
            .header("traceparent", "00-" + traceId + "-" + randomId() + "-01")
            .header("connection", "close")
            .build();
    return http.send(request, BodyHandlers.discarding()).statusCode();
  }

  private static String randomId() {
    // An all-zero id would be invalid.
    return String.format("%016x", ThreadLocalRandom.current().nextLong() | 1);
  }
}
