/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import java.nio.file.Path;
import javax.tools.ToolProvider;

/** A class that is compiled by a test, for a JVM of its own. */
public final class SourceFile {
  private SourceFile() {}

  /** Compiles it for Java 8 and against what this JVM has. */
  public static void compile(Path source, Path directory) {
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "--release",
                "8",
                "-Xlint:-options",
                "-proc:none",
                "-d",
                directory.toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                source.toString());
    if (status != 0) {
      throw new IllegalArgumentException(source + " does not compile");
    }
  }
}
