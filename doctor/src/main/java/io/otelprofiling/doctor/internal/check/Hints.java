/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.ProcFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Names in a process that make something likely, and prove nothing. */
final class Hints {
  private static final String ENABLED = "elastic.otel.universal.profiling.integration.enabled";
  private static final String[] OPTIONS = {
    "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"
  };
  private static final String[][] SWITCHES = {
    {"-D" + ENABLED + "=false", "ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_ENABLED=false"},
    {"-Dotel.sdk.disabled=true", "OTEL_SDK_DISABLED=true"},
    {"-Dotel.javaagent.enabled=false", "OTEL_JAVAAGENT_ENABLED=false"},
  };
  private static final String[][] AGENTS = {
    {"dd-java-agent", "Datadog's agent"},
    {"elastic-apm-agent", "Elastic's APM agent"},
    {"apm-agent-attach", "Elastic's APM agent"},
    {"elastic-otel-javaagent", "Elastic's distribution of the OpenTelemetry agent"},
  };

  private final Subject subject;

  Hints(Subject subject) {
    this.subject = subject;
  }

  /** Returns the jars that the process has open or that its command and variables name. */
  private Evidence<Set<String>> jars() {
    return subject
        .openFiles
        .get()
        .map(
            files -> {
              Set<String> jars = new LinkedHashSet<>(files);
              List<String> texts = new ArrayList<>(subject.process.commandLine());
              Map<String, String> environment = subject.process.environment();
              for (String option : OPTIONS) {
                texts.add(environment.getOrDefault(option, ""));
              }
              for (String text : texts) {
                for (String part : text.split("[: =,;]", 0)) {
                  jars.add(part);
                }
              }
              jars.removeIf(name -> !name.endsWith(".jar"));
              return jars;
            });
  }

  /** Returns the jars whose name is that of the plug-in, in one text. */
  Evidence<String> ownJars() {
    return jars()
        .map(
            all -> {
              all.removeIf(jar -> !nameOf(jar).startsWith("otel-profiling-correlation-"));
              all.removeIf(jar -> nameOf(jar).startsWith("otel-profiling-correlation-doctor"));
              return String.join(", ", all);
            });
  }

  private static String nameOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Returns a setting that switches the plug-in or the SDK off, as it was seen, or "". */
  Evidence<String> switches() {
    Map<String, String> environment = subject.process.environment();
    List<String> texts = new ArrayList<>(subject.process.commandLine());
    for (String option : OPTIONS) {
      texts.add(" " + environment.getOrDefault(option, "") + " ");
    }
    environment.forEach((name, value) -> texts.add(name + "=" + value));
    for (String[] names : SWITCHES) {
      for (String text : texts) {
        if (text.equals(names[0]) || text.equals(names[1]) || text.contains(" " + names[0] + " ")) {
          return Evidence.of(text.trim());
        }
      }
    }
    return subject.process.hidesEnvironment()
        ? Evidence.unread("its environment cannot be read", subject.rightsToRead())
        : Evidence.of("");
  }

  /** Returns the mounts without execution that hold directories for temporary files, or "". */
  Evidence<String> noexec() {
    List<String> found = new ArrayList<>();
    try {
      String mounts = "mountinfo";
      for (String line :
          ProcFiles.lines(subject.process.file(mounts), StandardCharsets.ISO_8859_1)) {
        String[] columns = line.split(" ", 7);
        boolean isTemporary =
            columns.length == 7 && (columns[4].equals("/tmp") || columns[4].equals("/"));
        if (isTemporary && ("," + columns[5] + ",").contains(",noexec,")) {
          found.add(columns[4]);
        }
      }
    } catch (IOException e) {
      return Evidence.unread("its mounts cannot be read", subject.rightsToRead());
    }
    return Evidence.of(String.join(", ", found));
  }

  /** Returns other agents that publish data for profilers, by the names of their jars, or "". */
  Evidence<String> otherAgents() {
    return jars()
        .map(
            all -> {
              Set<String> found = new LinkedHashSet<>();
              for (String[] agent : AGENTS) {
                if (all.stream().anyMatch(jar -> nameOf(jar).startsWith(agent[0]))) {
                  found.add(agent[1]);
                }
              }
              boolean isBeside = subject.status.get().value != null && !found.isEmpty();
              return (isBeside ? "next to the plug-in: " : "") + String.join(", ", found);
            });
  }
}
