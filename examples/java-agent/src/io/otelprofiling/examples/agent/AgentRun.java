/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.agent;

import io.otelprofiling.examples.demo.Cleanup;
import io.otelprofiling.examples.demo.OtlpReceiver;
import io.otelprofiling.examples.demo.PrivateDirectory;
import io.otelprofiling.examples.demo.ProfiledApplication;
import io.otelprofiling.examples.demo.ReceivedTraces;
import io.otelprofiling.examples.demo.StandInOutput;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
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
      PrivateDirectory directory = cleanup.open(PrivateDirectory::new);
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
        visit(application.awaitReady().resolve(path));
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

  private static void visit(URI address) throws IOException, InterruptedException {
    HttpClient client = HttpClient.newHttpClient();
    for (int i = 0; i < REQUESTS; i++) {
      int status =
          client
              .send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding())
              .statusCode();
      if (status != 200) {
        throw new IOException(address + " answered with status " + status);
      }
    }
  }
}
