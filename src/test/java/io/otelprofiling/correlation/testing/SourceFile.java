/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A class that a test compiles for another JVM. */
public final class SourceFile {
  private SourceFile() {}

  /** Compiles the source for Java 8, with the class path of this JVM. */
  public static void compile(Path source, Path directory) {
    compile(List.of(source), directory);
  }

  /** Compiles all sources at once. */
  public static void compile(List<Path> sources, Path directory) {
    List<String> command = new ArrayList<>(List.of(javac().toString(), "--release", "8"));
    command.addAll(List.of("-Xlint:-options", "-proc:none", "-cp", ChildJvm.wholeClassPath()));
    command.addAll(List.of("-d", directory.toString()));
    sources.forEach(source -> command.add(source.toString()));
    NativeProgram.check(command.toArray(new String[0]));
  }

  /** Returns javac from Maven's JDK, because the JVM of the tests may be a JRE. */
  private static Path javac() {
    return Path.of(System.getProperty("test.jdk", System.getProperty("java.home")), "bin", "javac");
  }
}
