/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.springboot.runner;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines of Spring Boot's log, and between them those of the stand-in profiler. */
final class ApplicationLog {
  private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
  private static final Pattern WARNING = Pattern.compile("\\s(WARN|ERROR)\\s|WARNING:");

  private final List<String> lines;

  ApplicationLog(List<String> lines) {
    this.lines = lines;
  }

  /** The port on which the application answers, or null before it does. */
  String port() {
    for (String line : lines) {
      Matcher matcher = PORT.matcher(line);
      if (matcher.find()) {
        return matcher.group(1);
      }
    }
    return null;
  }

  boolean isAttached() {
    return !with("stand-in-profiler: attached").isEmpty();
  }

  List<String> with(String text) {
    return lines.stream().filter(line -> line.contains(text)).toList();
  }

  /** Whoever warns: the application has no other reason to. */
  List<String> warnings() {
    return lines.stream().filter(line -> WARNING.matcher(line).find()).toList();
  }

  void print() {
    lines.forEach(line -> System.out.println("    | " + line));
  }
}
