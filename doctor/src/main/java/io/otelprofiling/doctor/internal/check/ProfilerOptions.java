/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The options of a profiler that matter: those of the program, and its variables. The configuration
 * of a collector is not read, because only the collector knows what it means.
 */
final class ProfilerOptions {
  private static final String VARIABLE = "OTEL_PROFILING_AGENT_";

  private final List<String> command;
  private final Map<String, String> environment;

  /** The options that name the configuration of a collector, which is not read, or "". */
  final String configuration;

  ProfilerOptions(TargetProcess profiler) {
    command = profiler.commandLine();
    environment = profiler.environment();
    List<String> sources = values("config");
    sources.addAll(values("set"));
    configuration = String.join(", ", sources);
  }

  /** Returns the value of an option, which takes precedence over the variable. */
  String value(String option, String otherwise) {
    List<String> values = values(option);
    String variable = VARIABLE + option.toUpperCase(Locale.ROOT).replace('-', '_');
    return values.isEmpty()
        ? environment.getOrDefault(variable, otherwise)
        : values.get(values.size() - 1);
  }

  private List<String> values(String option) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < command.size(); i++) {
      String argument = command.get(i);
      String name = argument.startsWith("--") ? argument.substring(1) : argument;
      if (name.equals("-" + option) && i + 1 < command.size()) {
        values.add(command.get(i + 1));
      } else if (name.startsWith("-" + option + "=")) {
        values.add(argument.substring(argument.indexOf('=') + 1));
      }
    }
    return values;
  }

  /** Returns whether the option names all tracers. */
  boolean hasAllTracers() {
    return Arrays.asList(tracers().split("[,\\s]+", 0)).contains("all");
  }

  String tracers() {
    return value("tracers", value("t", ""));
  }

  /** Returns the options that produce ids for events other than ticks of the CPU clock, or "". */
  String otherEvents() {
    Set<String> found = new LinkedHashSet<>();
    if (isAbove0(value("off-cpu-threshold", "0"))) {
      found.add("-off-cpu-threshold " + value("off-cpu-threshold", ""));
    }
    if (!value("probe-link", "").isEmpty()) {
      found.add("-probe-link " + value("probe-link", ""));
    }
    if (command.contains("-load-probe") || command.contains("--load-probe")) {
      found.add("-load-probe");
    }
    for (String list : values("extensions")) { // of profilers since August 2026
      if (Arrays.asList(list.split(",", 0)).contains("offcpu")) {
        found.add("-extensions offcpu");
      }
    }
    return String.join(", ", found);
  }

  /** Also returns true for a value that only the profiler can resolve, such as a variable. */
  private static boolean isAbove0(String value) {
    return !value.replace("0", "").replace(".", "").isEmpty();
  }
}
