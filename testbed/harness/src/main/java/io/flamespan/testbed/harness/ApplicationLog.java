/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The log lines of an application, interleaved with those of the stand-in profiler. */
public final class ApplicationLog {

  /** Matches warnings in the formats of the Java agent, Quarkus and java.util.logging. */
  private static final Pattern PLUGIN_WARNING =
      Pattern.compile(" WARN(ING)? \\[?io\\.flamespan\\.|^WARNING: (Flamespan|Profilers) ");

  private final List<String> lines;

  /** Creates the log from its lines. */
  public ApplicationLog(List<String> lines) {
    this.lines = lines;
  }

  /** Returns the lines that contain the text. */
  public List<String> with(String text) {
    return lines.stream().filter(line -> line.contains(text)).collect(Collectors.toList());
  }

  /** Returns the lines in which the pattern occurs. */
  public List<String> with(Pattern pattern) {
    return lines.stream().filter(line -> pattern.matcher(line).find()).collect(Collectors.toList());
  }

  /** Returns the warnings of the plug-in. */
  public List<String> pluginWarnings() {
    return with(PLUGIN_WARNING);
  }

  /** Returns the first group of the pattern's first match, or null. */
  String find(Pattern pattern) {
    for (String line : lines) {
      Matcher matcher = pattern.matcher(line);
      if (matcher.find()) {
        return matcher.group(1);
      }
    }
    return null;
  }

  /** Prints all lines, marked to distinguish them from our own output. */
  public void print() {
    lines.forEach(line -> System.out.println("          | " + line));
  }
}
