/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.eventloop.runner;

import java.io.File;
import java.util.List;
import java.util.stream.Stream;

/** An application and what traces it. */
record Start(String title, boolean agent, List<String> paths, List<String> command) {
  private static final String VERTX = "io.otelprofiling.examples.eventloop.vertx.VertxApp";

  /** With the arguments of the java command, for the directory of the example as it was built. */
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

  private static List<String> join(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }
}
