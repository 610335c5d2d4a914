/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.testbed.causes;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * An application that {@code own.sh} starts, and that ends once each path has answered as many
 * requests as it takes for enough samples.
 */
final class OwnApplication {
  private static final String PROFILER_RUNS = "The embedded profiler is on";
  private static final long MAX_SECONDS = 180;
  private static final int CLIENTS = 4;
  private static final int REQUESTS = 16;

  private final Cause cause;
  private final Path script;
  private final String classpath;
  private final Path directory;
  private final Path port;
  private final Path log;

  OwnApplication(Cause cause, Path script, String classpath, Path directory) {
    this.cause = cause;
    this.script = script;
    this.classpath = classpath;
    this.directory = directory;
    this.port = directory.resolve("port");
    this.log = directory.resolve("log");
  }

  void visit() throws Exception {
    Files.createDirectories(directory);
    Files.deleteIfExists(port);
    ProcessBuilder builder = new ProcessBuilder(script.toAbsolutePath().toString());
    builder.environment().keySet().removeIf(name -> name.matches("(ELASTIC_OTEL|OTEL)_.*"));
    builder.environment().put("BUILD", directory.toString());
    builder
        .environment()
        .put(
            "APP",
            String.join(" ", "-Dexample.port.file=" + port, "-cp", classpath, cause.application()));
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
      while (!Files.exists(port) || !Files.readString(log).contains(PROFILER_RUNS)) {
        if (!process.isAlive() || System.nanoTime() > end) {
          throw new IOException(cause.name() + " did not start; its log is " + log);
        }
        Thread.sleep(100);
      }
      request("http://127.0.0.1:" + Files.readString(port));
      process.children().forEach(ProcessHandle::destroy);
      if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(cause.name() + " did not end well; its log is " + log);
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private void request(String address) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      for (String path : cause.paths()) {
        request(client, address + path); // A cold start is not what makes it slow.
      }
      List<Future<?>> answers = new ArrayList<>();
      for (int i = 0; i < REQUESTS; i++) {
        for (String path : cause.paths()) {
          answers.add(clients.submit(() -> request(client, address + path)));
        }
      }
      for (Future<?> one : answers) {
        one.get();
      }
    } finally {
      clients.shutdownNow();
    }
  }

  private static Void request(HttpClient client, String address)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
    int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    if (status != 200) {
      throw new IOException(address + " answered " + status);
    }
    return null;
  }
}
