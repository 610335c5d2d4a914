/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.testbed.page;

import io.otelprofiling.examples.demo.LoadGenerator;
import io.otelprofiling.examples.demo.SentRequest;
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
 * Makes a page of flame graphs of the demo's shop as a user would: runs the shop with the embedded
 * profiler, which writes files, lets clients visit it, ends it, and makes the page from the files.
 * Then checks that files and page agree, and that each sample is at the endpoint whose method it
 * hit.
 *
 * <p>Ends with status 0 if all checks held, 1 if one failed, 2 if there was nothing to check.
 */
public final class EmbeddedPage {

  private static final String PREFIX = "-Delastic.otel.universal.profiling.integration.";
  private static final String PROFILER_RUNS = "The embedded profiler is on";
  private static final long MAX_SECONDS = 60;

  private final Path java = Path.of(System.getProperty("java.home"), "bin", "java");
  private final String classpath;
  private final Path pageJar;
  private final Path files;
  private final Path page;
  private final Path log;

  private EmbeddedPage(String classpath, Path pageJar, Path directory) {
    this.classpath = classpath;
    this.pageJar = pageJar;
    this.files = directory.resolve("otlp");
    this.page = directory.resolve("page");
    this.log = directory.resolve("logs").resolve("shop.log");
  }

  /**
   * Runs everything. The arguments are the class path of the shop with the embedded profiler, the
   * jar that makes the page, the directory for files, page and log, how many seconds clients visit
   * the shop, and how many samples a second of CPU time has.
   */
  public static void main(String[] args) throws InterruptedException {
    int status = 2;
    try {
      EmbeddedPage run = new EmbeddedPage(args[0], Path.of(args[1]), Path.of(args[2]));
      status = run.run(Duration.ofSeconds(number(args[3])), number(args[4]));
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("The page was not made: " + e.getMessage());
    }
    System.exit(status);
  }

  private static int number(String text) {
    if (!text.matches("[1-9][0-9]{0,3}")) {
      throw new IllegalArgumentException(text + " is not a whole number from 1 to 9999");
    }
    return Integer.parseInt(text);
  }

  private int run(Duration load, int rate) throws IOException, InterruptedException {
    delete(files);
    delete(page);
    Files.createDirectories(log.getParent());
    List<SentRequest> sent = visit(load, rate);
    List<String> command = List.of(java.toString(), "-jar", pageJar.toString());
    System.out.println(String.join(" ", command) + " --out " + page + " " + files);
    List<String> whole = new ArrayList<>(command);
    whole.addAll(List.of("--out", page.toString(), files.toString()));
    int joined = new ProcessBuilder(whole).inheritIO().start().waitFor();
    if (joined == 2) {
      throw new IOException("the files could not be read; the shop's log is " + log);
    }
    PageChecks checks = new PageChecks(WrittenFiles.read(files), page);
    int failed = checks.conclude(sent) + joined;
    if (failed > 0) {
      System.out.println("The shop's log is " + log);
    }
    System.out.println("Page: file://" + page.resolve("flame-graphs.html").toAbsolutePath());
    return failed == 0 ? 0 : 1;
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> below = Files.walk(directory)) {
        for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  private List<SentRequest> visit(Duration load, int rate)
      throws IOException, InterruptedException {
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
    command.add(PREFIX + "embedded.profiler.directory=" + files);
    command.addAll(List.of("-cp", classpath, "io.otelprofiling.examples.demo.app.DemoApp"));
    ProcessBuilder shop = new ProcessBuilder(command);
    // Settings from the user's shell must not change the result.
    shop.environment().keySet().removeIf(name -> name.matches("(ELASTIC_OTEL|OTEL)_.*"));
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
