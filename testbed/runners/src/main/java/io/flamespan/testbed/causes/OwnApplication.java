/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.causes;

import io.flamespan.testbed.harness.Visits;
import java.io.IOException;
import java.net.URI;
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
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.matches("(ELASTIC_OTEL|FLAMESPAN|OTEL)_.*"));
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
      request(URI.create("http://127.0.0.1:" + Files.readString(port)));
      process.children().forEach(ProcessHandle::destroy);
      if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(cause.name() + " did not end well; its log is " + log);
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private void request(URI address) throws Exception {
    String[] paths = cause.paths().toArray(new String[0]);
    Visits.to(address, 1, paths); // A cold start is not what makes it slow.
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<?>> visits = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        visits.add(clients.submit(() -> Visits.to(address, REQUESTS / CLIENTS, paths)));
      }
      for (Future<?> one : visits) {
        one.get();
      }
    } finally {
      clients.shutdownNow();
    }
  }
}
