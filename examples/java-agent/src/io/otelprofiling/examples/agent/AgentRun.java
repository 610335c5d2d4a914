/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.agent;

import io.otelprofiling.examples.harness.Cleanup;
import io.otelprofiling.examples.harness.OtlpReceiver;
import io.otelprofiling.examples.harness.ProfiledApplication;
import io.otelprofiling.examples.harness.ReceivedTraces;
import io.otelprofiling.examples.harness.StandInOutput;
import io.otelprofiling.examples.harness.TemporaryDirectory;
import io.otelprofiling.examples.harness.Visits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What an application did under the Java agent and the stand-in profiler, while one client visited
 * it.
 *
 * @param log what the application, the agent and the stand-in printed
 */
record AgentRun(int requests, ReceivedTraces traces, StandInOutput profiler, List<String> log) {

  private static final int REQUESTS = 15;

  /** Runs it from start to end. The arguments are those of the java command. */
  static AgentRun of(String standIn, String path, List<String> arguments)
      throws IOException, InterruptedException {
    try (Cleanup cleanup = new Cleanup()) {
      TemporaryDirectory directory = cleanup.open(TemporaryDirectory::new);
      OtlpReceiver receiver = cleanup.open(OtlpReceiver::new);
      Path log = directory.file("log");
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(arguments);
      ProfiledApplication application =
          cleanup.open(
              () ->
                  new ProfiledApplication(
                      List.of(standIn, "--rate", "50", "--no-stacks"),
                      command,
                      environment(receiver.endpoint()),
                      ProcessBuilder.Redirect.to(log.toFile()),
                      directory));
      try {
        Visits.to(application.awaitReady().resolve(path), REQUESTS);
        StandInOutput profiler = application.stop();
        ReceivedTraces traces = new ReceivedTraces(receiver.spans());
        return new AgentRun(REQUESTS, traces, profiler, Files.readAllLines(log));
      } catch (IOException e) {
        Files.readAllLines(log).forEach(System.err::println);
        throw e;
      }
    }
  }

  private static Map<String, String> environment(String otlpEndpoint) {
    return Map.of(
        "OTEL_SERVICE_NAME",
        "agent-example",
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
