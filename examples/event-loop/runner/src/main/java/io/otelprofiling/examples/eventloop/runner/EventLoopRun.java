/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.eventloop.runner;

import io.otelprofiling.examples.harness.Cleanup;
import io.otelprofiling.examples.harness.OtlpReceiver;
import io.otelprofiling.examples.harness.ProfiledApplication;
import io.otelprofiling.examples.harness.ReceivedTraces;
import io.otelprofiling.examples.harness.StandInOutput;
import io.otelprofiling.examples.harness.TemporaryDirectory;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What an application did under the stand-in profiler, while several clients visited it.
 *
 * @param log what the application and the stand-in printed
 */
record EventLoopRun(int requests, ReceivedTraces traces, StandInOutput profiler, List<String> log) {
  private static final Duration TIME = Duration.ofSeconds(12);

  /** Runs it from start to end. */
  static EventLoopRun of(String standIn, Start start) throws IOException, InterruptedException {
    try (Cleanup cleanup = new Cleanup()) {
      TemporaryDirectory directory = cleanup.open(TemporaryDirectory::new);
      OtlpReceiver receiver = cleanup.open(OtlpReceiver::new);
      Path expected = directory.file("expected");
      Path log = directory.file("log");
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("-Devent-loop.expected=" + expected);
      command.add("-Dquarkus.http.host=127.0.0.1");
      command.add("-Dquarkus.http.port=" + freePort());
      command.addAll(start.command());
      ProfiledApplication application =
          cleanup.open(
              () ->
                  new ProfiledApplication(
                      List.of(
                          standIn,
                          "--rate",
                          "200",
                          "--no-stacks",
                          "--expected",
                          expected.toString()),
                      command,
                      environment(receiver.endpoint()),
                      ProcessBuilder.Redirect.to(log.toFile()),
                      directory));
      try {
        Clients clients = new Clients(application.awaitReady());
        clients.awaitAnswer(start.paths().get(0));
        int requests = clients.visit(start.paths(), TIME);
        StandInOutput profiler = application.stop();
        ReceivedTraces traces = new ReceivedTraces(receiver.spans());
        return new EventLoopRun(requests, traces, profiler, Files.readAllLines(log));
      } catch (IOException e) {
        Files.readAllLines(log).forEach(System.err::println);
        throw e;
      }
    }
  }

  /** Quarkus does not tell which port it was given. */
  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static Map<String, String> environment(String otlpEndpoint) {
    return Map.of(
        "OTEL_SERVICE_NAME",
        "event-loop-example",
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        otlpEndpoint,
        "OTEL_EXPORTER_OTLP_PROTOCOL",
        "http/protobuf",
        "OTEL_METRICS_EXPORTER",
        "none",
        "OTEL_LOGS_EXPORTER",
        "none");
  }
}
