/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What makes a reason likely if the plug-in does not show itself. */
final class Hints {
  private static final String JAR =
      "(?s)(.*/)?otel-profiling-correlation-(?!doctor-)[^/]*\\.jar( \\(deleted\\))?";
  private static final String[] SWITCHES = {
    "-Delastic.otel.universal.profiling.integration.enabled=false",
    "ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_ENABLED=false",
    "-Dotel.sdk.disabled=true",
    "OTEL_SDK_DISABLED=true",
    "-Dotel.javaagent.enabled=false",
    "OTEL_JAVAAGENT_ENABLED=false"
  };

  /** Returns the jars of the plug-in among the open files, and those that the command names. */
  static String jars(TargetProcess process) throws IOException {
    Set<String> jars = new TreeSet<>(process.openFiles());
    for (String argument : process.strings("cmdline")) {
      jars.addAll(Arrays.asList(argument.split("[:=,;]", 0)));
    }
    jars.removeIf(jar -> !jar.matches(JAR));
    return String.join(", ", jars);
  }

  /** Returns a setting that switches the plug-in or the SDK off, or "". */
  static String switches(TargetProcess process) throws IOException {
    List<String> texts = new ArrayList<>(process.strings("cmdline"));
    String environment = TargetProcess.text(process.file("environ"));
    texts.addAll(Arrays.asList(environment.split("\0", 0)));
    for (String text : texts) {
      String words = " " + text.replaceFirst("^_?J[A-Z_]+_OPTIONS=", "") + " ";
      for (String name : SWITCHES) {
        if (words.contains(" " + name + " ")) {
          return name; // not the whole text, which may contain secrets
        }
      }
    }
    return "";
  }

  /** Returns the mounts without execution that hold directories for temporary files, or "". */
  static String noexec(TargetProcess process) throws IOException {
    Map<String, Boolean> found = new TreeMap<>(); // a later mount hides an earlier one
    String mounts = TargetProcess.text(process.file("mountinfo"));
    for (String line : mounts.split("\n", 0)) {
      String[] columns = line.split(" ", 7);
      if (columns.length == 7 && columns[4].matches("/(tmp)?")) {
        found.put(columns[4], ("," + columns[5] + ",").contains(",noexec,"));
      }
    }
    found.values().removeIf(isNoexec -> !isNoexec);
    return String.join(", ", found.keySet());
  }

  private Hints() {}
}
