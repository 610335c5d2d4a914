/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.report.Report;
import java.util.ArrayList;
import java.util.List;

/** Looks for other agents in the process that publish data for profilers. */
final class OthersSection {
  private static final String[][] AGENTS = {
    {"dd-java-agent", "Datadog's agent"},
    {"elastic-apm-agent", "Elastic's APM agent"},
    {"elastic-otel-javaagent", "Elastic's distribution of the OpenTelemetry agent"},
    {"apm-agent-attach", "Elastic's APM agent"},
  };

  static void examine(Subject subject, Report report) {
    report.section("Other publishers");
    List<String> found = new ArrayList<>();
    List<String> names = new ArrayList<>(subject.process.commandLine());
    names.addAll(subject.process.openFiles());
    names.add(subject.environment.getOrDefault("JAVA_TOOL_OPTIONS", ""));
    for (String[] agent : AGENTS) {
      boolean isThere = false;
      for (String name : names) {
        isThere |= name.matches(".*\\b" + agent[0] + "[^/]*\\.jar.*");
      }
      if (isThere && !found.contains(agent[1])) {
        found.add(agent[1]);
      }
    }
    if (found.isEmpty() && subject.process.hidesOpenFiles()) {
      report.couldNotLook(
          "others.publishers",
          "its open files and environment cannot be read",
          subject.rightsToRead());
    } else if (found.isEmpty()) {
      report.ok("others.publishers", "none known");
    } else if (subject.isForeign) {
      report.ok("others.publishers", String.join(", ", found));
    } else {
      report.warning(
          "others.publishers",
          String.join(", ", found),
          "It may publish the same symbols or replace the context storage: run one of the two.");
    }
  }

  private OthersSection() {}
}
