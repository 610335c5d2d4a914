/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs a class of the tests in a separate JVM. */
public final class ChildJvm {
  private static final int LIMIT_MINUTES = 3; // only ends a process that hangs

  private final List<String> properties = new ArrayList<>();
  private final Map<String, String> environment = new TreeMap<>();
  private String missing = "";

  /** The child's exit status, and its output on both streams. */
  public record Result(int status, String output) {}

  /** Omits an artifact from the class path. */
  public ChildJvm withoutOnClassPath(String artifact) {
    missing = artifact + "-";
    return this;
  }

  public ChildJvm property(String name, String value) {
    properties.add("-D" + name + "=" + value);
    return this;
  }

  public ChildJvm environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  public Result run(Class<?> main) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", classPath()));
    command.addAll(properties);
    command.add(main.getName());
    try {
      Path output = Files.createTempFile("child", ".log");
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment);
      Process process = builder.redirectOutput(output.toFile()).start();
      boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
      process.destroyForcibly();
      String text = Files.readString(output);
      Files.delete(output);
      if (!ended) {
        throw new AssertionError("still running: " + text);
      }
      return new Result(process.exitValue(), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private String classPath() {
    String whole =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Stream.of(whole.split(File.pathSeparator))
        .filter(e -> missing.isEmpty() || !Path.of(e).getFileName().toString().startsWith(missing))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
