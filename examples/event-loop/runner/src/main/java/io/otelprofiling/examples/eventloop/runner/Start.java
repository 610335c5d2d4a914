/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.eventloop.runner;

import io.otelprofiling.examples.harness.ProfiledRun;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** An application and the library or agent that traces it. */
record Start(String title, boolean agent, List<String> paths, List<String> command) {
  private static final Duration TIME = Duration.ofSeconds(12);
  private static final String VERTX = "io.otelprofiling.examples.eventloop.vertx.VertxApp";

  /** Returns all applications with their java commands, for the built directory of the example. */
  static List<Start> all(String example, String pluginClassPath, String extension) {
    String vertx = example + "/vertx/target/classes" + File.pathSeparator;
    String vertxLibraries = example + "/vertx/target/lib/*";
    List<String> agent =
        List.of(
            "-javaagent:" + example + "/runner/target/opentelemetry-javaagent.jar",
            "-Dotel.javaagent.extensions=" + extension);
    List<String> vertxPaths = List.of("/");
    List<String> quarkusPaths = List.of("/loop", "/vertx", "/blocking");
    return List.of(
        new Start(
            "Vert.x that traces by itself",
            false,
            vertxPaths,
            List.of(
                "-cp",
                vertx + vertxLibraries + File.pathSeparator + pluginClassPath,
                VERTX,
                "library")),
        new Start(
            "Vert.x under the Java agent",
            true,
            vertxPaths,
            join(agent, List.of("-cp", vertx + vertxLibraries, VERTX, "agent"))),
        new Start(
            "Quarkus that traces by itself",
            false,
            quarkusPaths,
            List.of(
                "-Dquarkus.otel.exporter.otlp.endpoint=${OTEL_EXPORTER_OTLP_ENDPOINT}",
                "-Dquarkus.otel.exporter.otlp.protocol=http/protobuf",
                "-jar",
                example + "/quarkus-opentelemetry/target/quarkus-app/quarkus-run.jar")),
        new Start(
            "Quarkus under the Java agent",
            true,
            quarkusPaths,
            join(agent, List.of("-jar", example + "/quarkus/target/quarkus-app/quarkus-run.jar"))));
  }

  /**
   * Runs it under the stand-in profiler while several clients visit it, and counts their requests.
   */
  ProfiledRun<Integer> run(Path standIn) throws IOException, InterruptedException {
    return ProfiledRun.of(
        standIn,
        launch -> {
          Path expected = launch.file("expected");
          launch
              .rate(200)
              .expectedSpans(expected)
              .autoconfigured("event-loop-example")
              .arguments("-Devent-loop.expected=" + expected)
              .arguments("-Dquarkus.http.host=127.0.0.1", "-Dquarkus.http.port=" + freePort())
              .arguments(command);
        },
        application -> {
          Clients clients = new Clients(application);
          clients.awaitAnswer(paths.get(0));
          return clients.visit(paths, TIME);
        });
  }

  /** Returns a free port, as Quarkus does not report which port it was given. */
  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static List<String> join(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }
}
