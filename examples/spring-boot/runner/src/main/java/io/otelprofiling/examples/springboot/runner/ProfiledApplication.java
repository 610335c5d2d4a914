/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.springboot.runner;

import io.otelprofiling.examples.harness.StandInOutput;
import io.otelprofiling.examples.harness.TemporaryDirectory;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The shop as a process of its own, under the stand-in profiler. */
final class ProfiledApplication implements AutoCloseable {
  private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);

  private final Process standIn;
  private final Path logFile;
  private final Path sentFile;
  private final Path stacksFile;
  private final Path summaryFile;

  ProfiledApplication(
      Start start, Path standInFile, Path jar, TemporaryDirectory directory, String otlpEndpoint)
      throws IOException {
    logFile = directory.file("log");
    sentFile = directory.file("sent");
    // No stacks: thread dumps leave out virtual threads.
    stacksFile = Files.createFile(directory.file("stacks"));
    summaryFile = directory.file("summary");
    List<String> command = new ArrayList<>();
    // It looks every 20 ms, so now and then while the library is being loaded.
    command.addAll(List.of(standInFile.toString(), "--rate", "50", "--retry-null", "--no-stacks"));
    command.addAll(List.of("--sent", sentFile.toString()));
    command.addAll(List.of("--summary", summaryFile.toString(), "--"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + directory.newDirectory("tmp"));
    command.addAll(start.arguments(jar));
    // What application.properties cannot know; the rest comes from there.
    command.add("--server.port=0");
    command.add("--otel.exporter.otlp.endpoint=" + otlpEndpoint);
    ProcessBuilder builder = new ProcessBuilder(command);
    // A setting from the user's shell would make another example of it.
    builder.environment().keySet().removeIf(n -> n.matches("(ELASTIC_OTEL|OTEL|SPRING)_.*"));
    builder.redirectInput(new File("/dev/null"));
    builder.redirectErrorStream(true).redirectOutput(logFile.toFile());
    standIn = builder.start();
  }

  /** Waits until the shop answers and the profiler reads it; returns the shop's address. */
  URI awaitReady() throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + READY_TIMEOUT.toNanos();
    while (true) {
      ApplicationLog log = log();
      if (log.port() != null && log.isAttached()) {
        return URI.create("http://127.0.0.1:" + log.port());
      }
      if (standIn.waitFor(100, TimeUnit.MILLISECONDS) || System.nanoTime() > endNanos) {
        log.print();
        throw new IOException("the shop was not ready and attached, see its log above");
      }
    }
  }

  /** Lets both end in peace, and reads what the stand-in wrote. */
  StandInOutput stop() throws IOException, InterruptedException {
    standIn.destroy();
    if (!standIn.waitFor(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IOException("it did not end within " + STOP_TIMEOUT.toSeconds() + " s");
    }
    if (!Files.exists(summaryFile)) {
      log().print();
      throw new IOException("the stand-in ended with status " + standIn.exitValue());
    }
    return new StandInOutput(sentFile, stacksFile, summaryFile);
  }

  /** What the application and the stand-in wrote so far. */
  ApplicationLog log() throws IOException {
    return new ApplicationLog(Files.readAllLines(logFile));
  }

  /** Ends both processes, by force if they have not ended. */
  @Override
  public void close() throws InterruptedException {
    List<ProcessHandle> children = standIn.descendants().toList();
    standIn.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    standIn.waitFor(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }
}
