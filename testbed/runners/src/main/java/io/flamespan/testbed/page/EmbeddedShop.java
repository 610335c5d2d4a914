/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.page;

import io.flamespan.examples.demo.LoadGenerator;
import io.flamespan.examples.demo.SentRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs the demo's shop with the embedded profiler, which writes files, and lets clients visit it.
 */
final class EmbeddedShop {

  private static final String PREFIX = "-Dflamespan.";
  private static final String PROFILER_RUNS = "The embedded profiler is on";
  private static final long MAX_SECONDS = 60;

  private final Path java;
  private final String classpath;
  private final Path files;
  private final Path log;

  EmbeddedShop(Path java, String classpath, Path directory) {
    this.java = java;
    this.classpath = classpath;
    this.files = directory.resolve("otlp");
    this.log = directory.resolve("logs").resolve("shop.log");
  }

  /** Returns the directory of the files, which those of earlier runs are deleted from. */
  Path files() {
    return files;
  }

  Path log() {
    return log;
  }

  static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> below = Files.walk(directory)) {
        for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  /** Runs the shop for as long as clients visit it, and returns what they requested. */
  List<SentRequest> visit(Duration load, int rate) throws IOException, InterruptedException {
    delete(files);
    Files.createDirectories(log.getParent());
    Path port = Files.createTempDirectory("run").resolve("port");
    Process shop = start(port, rate);
    try {
      await(shop, "did not start", () -> Files.exists(port));
      // Earlier requests would have CPU time and no samples.
      await(shop, "does not profile itself", () -> Files.readString(log).contains(PROFILER_RUNS));
      URI address = URI.create("http://127.0.0.1:" + Files.readString(port));
      System.out.printf("Clients visit the shop at %s for %d s%n", address, load.toSeconds());
      List<SentRequest> sent = new LoadGenerator(address).run(load);
      shop.destroy();
      if (!shop.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("the shop did not end; its log is " + log);
      }
      return sent;
    } finally {
      shop.destroyForcibly();
      delete(port.getParent());
    }
  }

  private Process start(Path port, int rate) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.add("-Dexample.port.file=" + port);
    command.add("-Dexample.owner.pid=" + ProcessHandle.current().pid());
    command.add("-Dotel.service.name=demo-shop");
    for (String signal : List.of("traces", "metrics", "logs")) {
      command.add("-Dotel." + signal + ".exporter=none");
    }
    command.add(PREFIX + "embedded.profiler=on");
    command.add(PREFIX + "embedded.profiler.period=" + 1000.0 / rate + "ms");
    command.add(PREFIX + "embedded.profiler.events=cpu,alloc,lock");
    command.add(PREFIX + "embedded.profiler.directory=" + files);
    command.addAll(List.of("-cp", classpath, "io.flamespan.examples.demo.app.DemoApp"));
    ProcessBuilder shop = new ProcessBuilder(command);
    // Settings from the user's shell must not change the result.
    shop.environment().keySet().removeIf(name -> name.matches("(ELASTIC_OTEL|FLAMESPAN|OTEL)_.*"));
    return shop.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  private void await(Process shop, String ifNot, Condition condition)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
    while (!condition.holds()) {
      if (!shop.isAlive() || System.nanoTime() > end) {
        throw new IOException("the shop " + ifNot + "; its log is " + log);
      }
      Thread.sleep(100);
    }
  }

  private interface Condition {
    boolean holds() throws IOException;
  }
}
