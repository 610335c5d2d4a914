/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.harness;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A traced application as a process of its own, under the stand-in. It writes its port into the
 * file that the system property {@code demo.port.file} names.
 */
public final class ProfiledApplication implements AutoCloseable {

  /** Where the stacks are read from, if the options of the stand-in say to write them there. */
  public static final String STACKS_FILE = "stacks";

  /** What the stand-in says the host is. */
  public static final String HOST_ID = "demo-host";

  private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

  private final Process process;
  private final Path portFile;
  private final Path sentFile;
  private final Path stacksFile;
  private final Path summaryFile;

  /**
   * Starts it.
   *
   * @param standIn the stand-in and its options
   * @param java the java command and its arguments
   * @param environment settings of OpenTelemetry
   * @param output where both write to
   */
  public ProfiledApplication(
      List<String> standIn,
      List<String> java,
      Map<String, String> environment,
      ProcessBuilder.Redirect output,
      TemporaryDirectory directory)
      throws IOException {
    portFile = directory.file("port");
    sentFile = directory.file("sent");
    stacksFile = directory.file(STACKS_FILE);
    summaryFile = directory.file("summary");
    List<String> command = new ArrayList<>(standIn);
    command.addAll(
        List.of(
            // It looks every 20 ms, so now and then while the library is being loaded.
            "--retry-null",
            "--host-id",
            HOST_ID,
            "--sent",
            sentFile.toString(),
            "--summary",
            summaryFile.toString(),
            "--",
            java.get(0),
            "-Djava.io.tmpdir=" + directory.newDirectory("tmp"),
            "-Ddemo.port.file=" + portFile,
            "-Ddemo.owner.pid=" + ProcessHandle.current().pid()));
    command.addAll(java.subList(1, java.size()));
    ProcessBuilder builder = new ProcessBuilder(command);
    // A setting from the user's shell would make another example of it.
    builder.environment().keySet().removeIf(name -> name.matches("(ELASTIC_)?OTEL_.*"));
    builder.environment().putAll(environment);
    builder
        .environment()
        .put(
            "ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_SOCKET_DIR",
            directory.newDirectory("sockets").toString());
    builder.redirectInput(new File("/dev/null"));
    builder.redirectErrorStream(true).redirectOutput(output);
    process = builder.start();
  }

  /** Waits until the application answers requests; returns its address. */
  public URI awaitReady() throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + READY_TIMEOUT.toNanos();
    while (!Files.exists(portFile)) {
      if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "The stand-in profiler ended with status "
                + process.exitValue()
                + " before the application was ready");
      }
      if (System.nanoTime() > endNanos) {
        throw new IOException(
            "The application was not ready after " + READY_TIMEOUT.toSeconds() + " s");
      }
    }
    return URI.create("http://127.0.0.1:" + Files.readString(portFile));
  }

  /** Lets the application and the stand-in end in peace, and reads what the stand-in wrote. */
  public StandInOutput stop() throws IOException, InterruptedException {
    if (!process.isAlive()) {
      throw new IOException(
          "The stand-in profiler ended too early, with status " + process.exitValue());
    }
    process.destroy();
    if (!process.waitFor(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IOException(
          "The stand-in profiler did not end within " + STOP_TIMEOUT.toSeconds() + " s");
    }
    return new StandInOutput(sentFile, stacksFile, summaryFile);
  }

  /** Ends both processes, by force if they do not end by themselves. */
  @Override
  public void close() throws InterruptedException {
    // Asked for now: children of a process that has ended can no longer be found.
    List<ProcessHandle> children = process.descendants().collect(Collectors.toList());
    process.destroy();
    if (!process.waitFor(KILL_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    children.forEach(ProcessHandle::destroyForcibly);
    process.waitFor(KILL_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }
}
