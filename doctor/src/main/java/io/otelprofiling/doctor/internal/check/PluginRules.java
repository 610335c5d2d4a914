/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static io.otelprofiling.doctor.internal.check.Words.check;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Whether the plug-in shows itself and, if not, what makes a reason likely. */
final class PluginRules {
  private static final String JAR = "(?s)(.*/)?otel-profiling-correlation-(?!doctor-)[^/]*\\.jar";
  private static final String[] SWITCHES = {
    "-Delastic.otel.universal.profiling.integration.enabled=false",
    "ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_ENABLED=false",
    "-Dotel.sdk.disabled=true",
    "OTEL_SDK_DISABLED=true",
    "-Dotel.javaagent.enabled=false",
    "OTEL_JAVAAGENT_ENABLED=false"
  };

  static final Section PLUGIN =
      new Section(
          "Plug-in",
          check("process.stopped", s -> Evidence.of(s.process.halt()))
              .when("halted", halt -> !halt.isEmpty()),
          check("library.mapped", PluginRules::mapped)
              .when("library", path -> path.startsWith("/")),
          check("plugin.jar", s -> ifSilent(s).map(none -> jars(s.process)))
              .when("none", String::isEmpty),
          check("plugin.enabled", s -> ifSilent(s).map(none -> switches(s.process)))
              .when("none", String::isEmpty),
          check("plugin.noexec", s -> ifSilent(s).map(none -> noexec(s.process)))
              .when("some", seen -> !seen.isEmpty()));

  /** Returns the path of the library, or what the process is without one. */
  private static Evidence<String> mapped(Subject subject) throws IOException {
    List<ElfFile> others = subject.contextLibraries.value;
    String otherwise =
        others != null && !others.isEmpty()
            ? "context-only"
            : subject.process.isJava() ? "" : "no-jvm";
    return subject.libraries.map(
        found -> found.stream().map(Mapping::path).findFirst().orElse(otherwise));
  }

  /** Returns evidence that there is no library, which would say more than hints. */
  private static Evidence<List<Mapping>> ifSilent(Subject subject) {
    return subject.libraries.only(List::isEmpty, "");
  }

  /** Returns the jars of the plug-in among the open files, and those that the command names. */
  private static String jars(TargetProcess process) throws IOException {
    Set<String> jars = new TreeSet<>(process.openFiles());
    for (String argument : process.strings("cmdline")) {
      jars.addAll(Arrays.asList(argument.split("[:=,;]", 0)));
    }
    jars.removeIf(jar -> !jar.matches(JAR));
    return String.join(", ", jars);
  }

  /** Returns a setting that switches the plug-in or the SDK off, or "". */
  private static String switches(TargetProcess process) throws IOException {
    List<String> texts = new ArrayList<>(process.strings("cmdline"));
    String environment = TargetProcess.text(process.file("environ"), StandardCharsets.UTF_8);
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
  private static String noexec(TargetProcess process) throws IOException {
    Map<String, Boolean> found = new TreeMap<>(); // a later mount hides an earlier one
    String mounts = TargetProcess.text(process.file("mountinfo"), StandardCharsets.ISO_8859_1);
    for (String line : mounts.split("\n", 0)) {
      String[] columns = line.split(" ", 7);
      if (columns.length == 7 && columns[4].matches("/(tmp)?")) {
        found.put(columns[4], ("," + columns[5] + ",").contains(",noexec,"));
      }
    }
    found.values().removeIf(isNoexec -> !isNoexec);
    return String.join(", ", found.keySet());
  }

  private PluginRules() {}
}
