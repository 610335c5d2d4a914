/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A JVM with the embedded profiler, which a test starts. */
final class ProfiledJvm {
  static final String PREFIX = "-Dflamespan.";
  static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  /** The words before the command of Java. */
  final List<String> under = new ArrayList<>();

  final List<String> options = new ArrayList<>();
  String classPath = CLASS_PATH;

  private final Path directory;

  ProfiledJvm(Path directory) {
    this.directory = directory;
  }

  /** Returns what the application wrote. Asserts that it ended well. */
  String run(Class<?> main, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(under);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=ALL-UNNAMED"); // or the JVM warns
    }
    command.add(PREFIX + "embedded.profiler=on");
    command.add(PREFIX + "embedded.profiler.period=1ms");
    for (String signal : List.of("traces", "metrics", "logs")) {
      command.add("-Dotel." + signal + ".exporter=none");
    }
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(List.of(arguments));
    Path log = directory.resolve("log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String output = Files.readString(log);
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  /** Returns the warnings about profiling. */
  static List<String> warnings(String output) {
    return output
        .lines()
        .filter(
            line -> line.startsWith("WARNING: ") && line.matches(".*([Pp]rofil|[Ff]lamespan).*"))
        .collect(Collectors.toList());
  }
}
