/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import io.otelprofiling.correlation.testing.ChildJvm;
import java.util.HashMap;
import java.util.Map;

/** What a class of the tests finds in a separate JVM, and prints. */
final class Findings {
  private static final String FOUND = "found ";

  /** Returns the findings of the process, and its whole output as "output". */
  static Map<String, String> of(ChildJvm jvm, Class<?> main, String... arguments) {
    ChildJvm.Result result = jvm.run(main, arguments);
    if (result.status() != 0) {
      throw new AssertionError(result.output());
    }
    Map<String, String> found = new HashMap<>();
    found.put("output", result.output());
    result
        .output()
        .lines()
        .filter(line -> line.startsWith(FOUND))
        .map(line -> line.substring(FOUND.length()).split("=", 2))
        .forEach(finding -> found.put(finding[0], finding[1]));
    return found;
  }

  static void print(String name, Object value) {
    System.out.println(FOUND + name + "=" + value);
  }

  private Findings() {}
}
