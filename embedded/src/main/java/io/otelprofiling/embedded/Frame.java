/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import java.util.regex.Pattern;

/** One frame of a stack. Immutable. */
public final class Frame {
  /**
   * The class with its package and dots, or an empty string for native code. Of classes that the
   * JVM makes up, as for lambdas, without the part that is another one in each process.
   */
  public final String className;

  public final String methodName;

  /** The line in the source, or 0 if it is not known. */
  public final int line;

  /** How async-profiler names it: Interpreted, JIT compiled, Inlined, Native, C++, Kernel, … */
  public final String type;

  private static final Pattern MADE_UP = Pattern.compile("(\\$\\d+)?[./+](0x[0-9a-f]+|\\d+)$");

  Frame(String className, String methodName, int line, String type) {
    this.className = MADE_UP.matcher(className).replaceFirst("");
    this.methodName = methodName;
    this.line = line;
    this.type = type;
  }
}
