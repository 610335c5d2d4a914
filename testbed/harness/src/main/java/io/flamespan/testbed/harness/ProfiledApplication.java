/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A traced application in its own process, under the stand-in profiler. */
final class ProfiledApplication implements AutoCloseable {

  private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);
  // Longer than the 20 seconds that the stand-in waits before it kills the application.
  private static final Duration STOP_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

  private final Launch launch;
  private final Process standIn;

  ProfiledApplication(Launch launch, Process standIn) {
    this.launch = launch;
    this.standIn = standIn;
  }

  /** Waits until the application answers requests, and returns its address. */
  URI awaitReady() throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + READY_TIMEOUT.toNanos();
    String port = port();
    while (port == null) {
      if (standIn.waitFor(20, TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "The stand-in profiler ended with status "
                + standIn.exitValue()
                + " before the application was ready");
      }
      if (System.nanoTime() > endNanos) {
        throw new IOException(
            "The application was not ready after " + READY_TIMEOUT.toSeconds() + " s");
      }
      port = port();
    }
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Returns the port, or null before it is known. */
  private String port() throws IOException {
    if (launch.awaitsAttach() && log().with("stand-in-profiler: attached").isEmpty()) {
      return null;
    }
    if (launch.portInLog() != null) {
      return log().find(launch.portInLog());
    }
    return Files.exists(launch.portFile()) ? Files.readString(launch.portFile()) : null;
  }

  /** Stops the application and the stand-in gracefully, and reads the output of the stand-in. */
  StandInOutput stop() throws IOException, InterruptedException {
    if (!standIn.isAlive()) {
      throw new IOException(
          "The stand-in profiler ended too early, with status " + standIn.exitValue());
    }
    standIn.destroy();
    if (!standIn.waitFor(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IOException(
          "The stand-in profiler did not end within " + STOP_TIMEOUT.toSeconds() + " s");
    }
    if (!Files.exists(launch.summaryFile())) {
      throw new IOException("The stand-in profiler failed, with status " + standIn.exitValue());
    }
    return new StandInOutput(
        launch.sentFile(), launch.stacksFile(), launch.recordsFile(), launch.summaryFile());
  }

  /** Returns the output of both processes so far. */
  ApplicationLog log() throws IOException {
    boolean kept = Files.exists(launch.logFile());
    return new ApplicationLog(kept ? Files.readAllLines(launch.logFile()) : List.of());
  }

  /** Stops both processes, forcibly if they do not end in time. */
  @Override
  public void close() throws InterruptedException {
    // Collected now: the children of a process cannot be found after it has ended.
    List<ProcessHandle> children = standIn.descendants().collect(Collectors.toList());
    standIn.destroy();
    if (!standIn.waitFor(KILL_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      standIn.destroyForcibly();
    }
    children.forEach(ProcessHandle::destroyForcibly);
    standIn.waitFor(KILL_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }
}
