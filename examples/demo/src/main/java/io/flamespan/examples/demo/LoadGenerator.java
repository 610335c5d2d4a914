/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Visits the shop with a few concurrent clients, each of which sends one request at a time. */
public final class LoadGenerator {

  public static final String SLEEPING_PATH = "/sleep";
  public static final List<String> BURNING_PATHS = List.of("/prime", "/json", "/hash", "/sort");

  /** The paths to request. A path that occurs several times is requested more often. */
  private static final List<String> WEIGHTED_PATHS =
      List.of(
          "/prime",
          "/prime",
          "/prime",
          "/json",
          "/json",
          "/hash",
          "/sort",
          "/sort",
          SLEEPING_PATH,
          SLEEPING_PATH);

  private static final int CLIENTS = 3;
  private static final int MAX_REQUESTS_PER_VISIT = 3;
  private static final int MAX_PAUSE_MILLIS = 40;
  private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(1);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(REQUEST_TIMEOUT).build();
  private final URI shop;

  public LoadGenerator(URI shop) {
    this.shop = shop;
  }

  /** Visits a shop, of which no request may fail. The arguments are its address and the seconds. */
  public static void main(String[] args) throws IOException, InterruptedException {
    LoadGenerator clients = new LoadGenerator(URI.create(args[0]));
    List<SentRequest> requests = clients.run(Duration.ofSeconds(Long.parseLong(args[1])));
    long failed = requests.stream().filter(request -> request.status() != 200).count();
    if (failed > 0) {
      throw new IOException(failed + " of " + requests.size() + " requests failed");
    }
  }

  /** Sends requests for this duration and returns all of them. Stops at the first failure. */
  public List<SentRequest> run(Duration duration) throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + duration.toNanos();
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<List<SentRequest>>> results = new ArrayList<>();
      for (int seed = 0; seed < CLIENTS; seed++) {
        Random random = new Random(seed);
        results.add(clients.submit((Callable<List<SentRequest>>) () -> visits(random, endNanos)));
      }
      List<SentRequest> requests = new ArrayList<>();
      for (Future<List<SentRequest>> result : results) {
        requests.addAll(result.get());
      }
      return requests;
    } catch (ExecutionException e) {
      throw new IOException("A request to " + shop + " failed", e.getCause());
    } finally {
      clients.shutdownNow();
    }
  }

  private List<SentRequest> visits(Random random, long endNanos)
      throws IOException, InterruptedException {
    List<SentRequest> requests = new ArrayList<>();
    while (System.nanoTime() < endNanos) {
      // Half of the visitors send a trace parent; all requests of their visit then belong to it.
      TraceParent traceParent = random.nextBoolean() ? TraceParent.random(random) : null;
      for (int left = 1 + random.nextInt(MAX_REQUESTS_PER_VISIT); left > 0; left--) {
        String path = WEIGHTED_PATHS.get(random.nextInt(WEIGHTED_PATHS.size()));
        requests.add(send(path, traceParent));
        Thread.sleep(random.nextInt(MAX_PAUSE_MILLIS));
      }
    }
    return requests;
  }

  private SentRequest send(String path, TraceParent traceParent)
      throws IOException, InterruptedException {
    String id = UUID.randomUUID().toString();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(shop.resolve(path))
            .timeout(REQUEST_TIMEOUT)
            .header("X-Request-Id", id);
    if (traceParent != null) {
      request.header("traceparent", traceParent.header());
    }
    long startNanos = System.nanoTime();
    int status = http.send(request.build(), BodyHandlers.ofString()).statusCode();
    return new SentRequest(id, path, traceParent, status, System.nanoTime() - startNanos);
  }
}
