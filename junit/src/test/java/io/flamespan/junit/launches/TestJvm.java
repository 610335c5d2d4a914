/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.launches;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM that launches tests with the jar that users get. */
final class TestJvm {
  private static final String SEPARATOR = System.getProperty("path.separator");
  private static final String CASES = "io.flamespan.junit.cases.Launch";

  private final List<String> options = new ArrayList<>();
  private final Path directory;
  private final Path log;
  private boolean hasOpenTelemetry;

  /** Runs in this directory. */
  TestJvm(Path directory, String log) {
    this.directory = directory;
    this.log = directory.resolve(log);
  }

  TestJvm with(String... more) {
    options.addAll(List.of(more));
    return this;
  }

  /** Its class path has OpenTelemetry, too. */
  TestJvm withOpenTelemetry() {
    hasOpenTelemetry = true;
    return this;
  }

  /** The Java agent instruments it, and exports nothing. */
  TestJvm withJavaAgent() {
    return with(
        "-javaagent:" + entries(".*/opentelemetry-javaagent-[^/]*[.]jar"),
        "-Dotel.traces.exporter=none",
        "-Dotel.metrics.exporter=none",
        "-Dotel.logs.exporter=none");
  }

  /** Starts it with test classes. */
  Process start(String... classes) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(options);
    command.addAll(List.of("-cp", classPath(), CASES));
    command.addAll(List.of(classes));
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** Returns what the JVM wrote. Asserts that it ended well. */
  String outputOf(Process process) throws IOException, InterruptedException {
    process.getOutputStream().close();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String output = Files.readString(log);
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  String run(String... classes) throws IOException, InterruptedException {
    return outputOf(start(classes));
  }

  /** Returns the lines of warnings, without those of JUnit. */
  static List<String> warnings(String output) {
    return output.lines().filter(line -> line.startsWith("WARNING: ")).toList();
  }

  private String classPath() {
    String telemetry =
        hasOpenTelemetry ? "|.*/(io/opentelemetry/opentelemetry-|org/assertj/).*" : "";
    return System.getProperty("test.jar")
        + SEPARATOR
        + entries(".*(/test-classes/?|/org/(junit|opentest4j|apiguardian)/.*)" + telemetry);
  }

  /** Returns what the class path of this JVM has. */
  private static String entries(String pattern) {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(all.split(SEPARATOR))
        .filter(entry -> entry.matches(pattern))
        .collect(joining(SEPARATOR));
  }
}
