/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

/** One frame of a stack. Immutable. */
public final class Frame {
  /** The class with its package and dots, or an empty string for native code. */
  public final String className;

  public final String methodName;

  /** The line in the source, or 0 if it is not known. */
  public final int line;

  /** How async-profiler names it: Interpreted, JIT compiled, Inlined, Native, C++, Kernel, … */
  public final String type;

  Frame(String className, String methodName, int line, String type) {
    this.className = className;
    this.methodName = methodName;
    this.line = line;
    this.type = type;
  }
}
