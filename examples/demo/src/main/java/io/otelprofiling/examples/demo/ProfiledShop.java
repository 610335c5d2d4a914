/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.demo;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The shop as a process of its own, with the plug-in on its class path, under the stand-in. */
final class ProfiledShop implements AutoCloseable {

  static final String SERVICE_NAME = "demo-shop";
  static final String ENVIRONMENT = "demo";
  static final String HOST_ID = "demo-host";

  private static final Duration READY_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

  private final Process standIn;
  private final Path portFile;
  private final Path sentFile;
  private final Path stacksFile;
  private final Path summaryFile;

  ProfiledShop(DemoOptions options, PrivateDirectory directory, String otlpEndpoint)
      throws IOException {
    portFile = directory.file("port");
    sentFile = directory.file("sent");
    stacksFile = directory.file("stacks");
    summaryFile = directory.file("summary");
    ProcessBuilder builder =
        new ProcessBuilder(
            options.standIn().toString(),
            "--rate",
            Integer.toString(options.rate()),
            // It looks every 20 ms, so now and then while the library is being loaded.
            "--retry-null",
            "--host-id",
            HOST_ID,
            "--sent",
            sentFile.toString(),
            "--stacks",
            stacksFile.toString(),
            "--summary",
            summaryFile.toString(),
            "--",
            options.java().toString(),
            "-Djava.io.tmpdir=" + directory.newDirectory("tmp"),
            "-Ddemo.port.file=" + portFile,
            "-Ddemo.owner.pid=" + ProcessHandle.current().pid(),
            "-cp",
            System.getProperty("java.class.path") + File.pathSeparator + options.pluginClasspath(),
            "io.otelprofiling.examples.demo.app.DemoApp");
    Map<String, String> environment = builder.environment();
    // A setting from the user's shell would make another demo of it.
    environment.keySet().removeIf(name -> name.matches("(ELASTIC_)?OTEL_.*"));
    environment.put("OTEL_SERVICE_NAME", SERVICE_NAME);
    environment.put("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=" + ENVIRONMENT);
    environment.put("OTEL_EXPORTER_OTLP_ENDPOINT", otlpEndpoint);
    environment.put("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf");
    environment.put("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip");
    environment.put("OTEL_METRICS_EXPORTER", "none");
    environment.put("OTEL_LOGS_EXPORTER", "none");
    environment.put(
        "ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_SOCKET_DIR",
        directory.newDirectory("sockets").toString());
    builder.redirectInput(new File("/dev/null"));
    builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    standIn = builder.start();
  }

  /** Waits until the shop answers requests; returns its address. */
  URI awaitReady() throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + READY_TIMEOUT.toNanos();
    while (!Files.exists(portFile)) {
      if (standIn.waitFor(20, TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "The stand-in profiler ended with status "
                + standIn.exitValue()
                + " before the shop was ready");
      }
      if (System.nanoTime() > endNanos) {
        throw new IOException("The shop was not ready after " + READY_TIMEOUT.toSeconds() + " s");
      }
    }
    return URI.create("http://127.0.0.1:" + Files.readString(portFile));
  }

  /** Lets the shop and the stand-in end in peace, and reads what the stand-in wrote. */
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
    return new StandInOutput(sentFile, stacksFile, summaryFile);
  }

  /** Ends both processes, by force if they do not end by themselves. */
  @Override
  public void close() throws InterruptedException {
    // Asked for now: children of a process that has ended can no longer be found.
    List<ProcessHandle> children = standIn.descendants().collect(Collectors.toList());
    standIn.destroy();
    if (!standIn.waitFor(KILL_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      standIn.destroyForcibly();
    }
    children.forEach(ProcessHandle::destroyForcibly);
    standIn.waitFor(KILL_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }
}
