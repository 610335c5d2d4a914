/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.runner;

import io.flamespan.testbed.harness.Launch;
import io.flamespan.testbed.harness.ProfiledRun;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the application of a row under the stand-in profiler, while several clients visit it. */
final class RowRun {
  // The stand-in samples all threads before it sends, which takes a long time on a busy machine.
  private static final String SAMPLES_DELAY_MS = "5000";
  // Less than the time limit of the harness. Starting may take a minute on a busy machine.
  private static final String ATTACH_SECONDS = "115";
  private static final long BEFORE_MINUTES = 3;

  private final Row row;
  private final Place place;
  private final Path javaHome;
  private Launch launch;

  RowRun(Row row, Place place, Path javaHome) {
    this.row = row;
    this.place = place;
    this.javaHome = javaHome;
  }

  ProfiledRun<Clients.Visit> run() throws IOException, InterruptedException {
    return ProfiledRun.of(
        place.standIn(),
        prepared -> {
          launch = prepared;
          prepare();
        },
        application -> {
          Clients clients = new Clients(application, row.paths());
          clients.warmUp();
          return clients.visit(
              row.expected().works()
                  ? new ShownSamples(launch.file("expected"))::areEnough
                  : () -> true,
              launch::received);
        });
  }

  private void prepare() throws IOException {
    Placeholders placeholders = placeholders();
    for (List<String> command : row.before()) {
      runBefore(placeholders.fill(command));
    }
    List<String> command = placeholders.fill(row.command());
    Path expected = launch.file("expected");
    launch
        .rate(200)
        .profilerOptions("--samples-delay", SAMPLES_DELAY_MS, "--attach-timeout", ATTACH_SECONDS)
        .expectedSpans(expected)
        .autoconfigured("compatibility")
        .environment("OTEL_BSP_SCHEDULE_DELAY", "200")
        .java(Path.of(command.get(0)))
        .arguments("-Dexample.expected.file=" + expected)
        .arguments(command.subList(1, command.size()));
    if (row.expected() != Row.Expected.OFF) {
      launch.awaitAttached();
    }
  }

  /** Runs a command that prepares the application's start, and shows its output if it fails. */
  private void runBefore(List<String> command) throws IOException {
    Path log = launch.file("before.log");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.matches("(ELASTIC_OTEL|FLAMESPAN|OTEL)_.*"));
    builder.environment().put("OTEL_EXPORTER_OTLP_ENDPOINT", launch.endpoint());
    builder.environment().put("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf");
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(BEFORE_MINUTES, TimeUnit.MINUTES);
      if (!ended || process.exitValue() != 0) {
        Files.readAllLines(log).forEach(line -> System.out.println("          | " + line));
        throw new IOException(
            command + (ended ? " ended with status " + process.exitValue() : " did not end"));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while running " + command, e);
    } finally {
      process.destroyForcibly();
    }
  }

  private Placeholders placeholders() throws IOException {
    Map<String, String> values = new HashMap<>();
    values.put("java.home", javaHome.toString());
    values.put("java", javaHome.resolve("bin/java").toString());
    values.put("compatibility", place.directory().toString());
    values.put("plugin", place.plugin().toString());
    values.put("agent", place.directory() + "/runner/target/opentelemetry-javaagent.jar");
    values.put("standin", place.standIn().toString());
    values.put("directory", launch.newDirectory("row").toString());
    values.put("endpoint", launch.endpoint());
    values.put("port", Integer.toString(freePort()));
    values.put("expected", launch.file("expected").toString());
    return new Placeholders(values);
  }

  /** Returns a free port, for servers that do not report the port they were assigned. */
  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
