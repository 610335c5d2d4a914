/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import java.nio.file.Path;

/** A class that a test compiles for another JVM. */
public final class SourceFile {
  private SourceFile() {}

  /** Compiles the source for Java 8, with the class path of this JVM. */
  public static void compile(Path source, Path directory) {
    NativeProgram.check(
        tool("javac").toString(),
        "--release",
        "8",
        "-Xlint:-options",
        "-proc:none",
        "-d",
        directory.toString(),
        "-cp",
        ChildJvm.wholeClassPath(),
        source.toString());
  }

  /** Returns a tool of Maven's JDK, because the JVM of the tests may be a JRE. */
  public static Path tool(String name) {
    return Path.of(System.getProperty("test.jdk", System.getProperty("java.home")), "bin", name);
  }
}
