/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.harness;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The lines of an application, and between them those of the stand-in profiler. */
public final class ApplicationLog {

  /** As the Java agent's logging, Quarkus and java.util.logging write it. */
  private static final Pattern PLUGIN_WARNING =
      Pattern.compile(" WARN(ING)? \\[?io\\.otelprofiling\\.|^WARNING: Profil(ing|ers) ");

  private final List<String> lines;

  ApplicationLog(List<String> lines) {
    this.lines = lines;
  }

  /** The lines that contain the text. */
  public List<String> with(String text) {
    return lines.stream().filter(line -> line.contains(text)).collect(Collectors.toList());
  }

  /** The lines in which the pattern is found. */
  public List<String> with(Pattern pattern) {
    return lines.stream().filter(line -> pattern.matcher(line).find()).collect(Collectors.toList());
  }

  /** The warnings of the plug-in. */
  public List<String> pluginWarnings() {
    return with(PLUGIN_WARNING);
  }

  /** The group of the pattern where it is found first, or null. */
  String find(Pattern pattern) {
    for (String line : lines) {
      Matcher matcher = pattern.matcher(line);
      if (matcher.find()) {
        return matcher.group(1);
      }
    }
    return null;
  }

  /** Prints all of them, so that they are told from our own output. */
  public void print() {
    lines.forEach(line -> System.out.println("          | " + line));
  }
}
