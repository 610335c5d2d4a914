/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import io.otelprofiling.doctor.internal.report.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Whether the plug-in shows itself and, if not, what makes a reason likely. */
final class PluginRules {
  private static final String SETTING = "elastic.otel.universal.profiling.integration.";
  private static final String OTHERS = "another library of OTEP 4947";
  private static final String NO_JVM = "the process is not a running JVM";
  private static final String JAR = "(?s)(.*/)?otel-profiling-correlation-(?!doctor-)[^/]*\\.jar";
  private static final String[] SWITCHES = {
    "-D" + SETTING + "enabled=false",
    "ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_ENABLED=false",
    "-Dotel.sdk.disabled=true",
    "OTEL_SDK_DISABLED=true",
    "-Dotel.javaagent.enabled=false",
    "OTEL_JAVAAGENT_ENABLED=false"
  };

  static final Section PLUGIN =
      new Section(
          "Plug-in",
          new Check<>(
                  "process.stopped",
                  "the states of its threads",
                  s -> Evidence.of(s.process.halt()))
              .warning(
                  halt -> !halt.isEmpty(),
                  "%s",
                  "It does nothing until you send it SIGCONT, detach the debugger, or thaw its"
                      + " cgroup.")
              .ok("it is neither stopped nor frozen"),
          new Check<>("library.mapped", "the names of mapped files", PluginRules::mapped)
              .row(Verdict.OK, path -> path.startsWith("/"), "%s", "")
              .warning(
                  OTHERS::equals,
                  "%s, and none of Elastic's protocol",
                  "Readers of OTEP 4947 find this process; readers of Elastic's protocol do not.")
              .unknown(
                  NO_JVM::equals,
                  "%s and does not publish data for profilers",
                  "Give the PID of a Java process.")
              .unknown(
                  path -> true,
                  "this process does not show the plug-in's library: either no SDK with the plug-in"
                      + " was configured, or it is off",
                  "The log of the process has a line that begins with \"Profiling correlation is\"."
                      + " To be sure, see "
                      + SETTING
                      + "status in: jcmd PID VM.system_properties"),
          new Check<>(
                  "plugin.jar",
                  "names of open files and in its command",
                  s -> ifSilent(s).map(none -> jars(s.process)))
              .note(String::isEmpty, "no jar of the plug-in is seen; it may be in another jar")
              .warning(
                  seen -> true,
                  "likely in use: %s",
                  "Then it is off, or no OpenTelemetry SDK has called it: its log says which."),
          new Check<>(
                  "plugin.enabled",
                  "its command and variables",
                  s -> ifSilent(s).map(none -> switches(s.process)))
              .note(String::isEmpty, "no switch is seen; one may be in a file or in code")
              .warning(
                  seen -> true,
                  "likely switched off: %s",
                  "Remove the setting, or set it to auto or true, and restart the process."),
          new Check<>(
                  "plugin.noexec",
                  "the mounts that the process sees",
                  s -> ifSilent(s).map(none -> noexec(s.process)))
              .warning(
                  seen -> !seen.isEmpty(),
                  "likely no library can be loaded: mounted with noexec: %s",
                  "Set "
                      + SETTING
                      + "native.dir to a directory that may hold programs, and restart.")
              .note(seen -> true, "/tmp and / are mounted without noexec"));

  /** Returns the path of the library, or what the process is without one. */
  private static Evidence<String> mapped(Subject subject) throws IOException {
    List<ElfFile> others = subject.contextLibraries.value;
    String otherwise =
        others != null && !others.isEmpty() ? OTHERS : subject.process.isJava() ? "" : NO_JVM;
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
      String words = " " + text.replaceFirst("^J[A-Z_]+_OPTIONS=", "") + " ";
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
    List<String> found = new ArrayList<>();
    String mounts = TargetProcess.text(process.file("mountinfo"), StandardCharsets.ISO_8859_1);
    for (String line : mounts.split("\n", 0)) {
      String[] columns = line.split(" ", 7);
      if (columns.length == 7
          && columns[4].matches("/(tmp)?")
          && Arrays.asList(columns[5].split(",", 0)).contains("noexec")) {
        found.add(columns[4]);
      }
    }
    return String.join(", ", found);
  }

  private PluginRules() {}
}
