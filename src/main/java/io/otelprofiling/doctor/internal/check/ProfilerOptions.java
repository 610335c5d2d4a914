/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.ProcFiles;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options of a profiler, from its command line, from environment variables of the same names,
 * or from the configuration of the OpenTelemetry Collector that it is a receiver of.
 */
final class ProfilerOptions {
  private static final String VARIABLE = "OTEL_PROFILING_AGENT_";
  private static final Pattern OFF_CPU = setting("off_cpu_threshold");
  private static final Pattern PROBES = setting("probes");
  private static final Pattern LOAD_PROBE = setting("load_probe");

  private final List<String> command;
  private final Map<String, String> environment;
  private final StringBuilder configuration = new StringBuilder();
  private String hidden = "";

  ProfilerOptions(TargetProcess profiler) {
    command = profiler.commandLine();
    environment = profiler.environment();
    for (String source : values("config")) {
      read(profiler, source);
    }
    for (String setting : values("set")) {
      configuration.append('\n').append(setting.replaceFirst("^(?:[^=]*\\.)?([^=.]+)=", "$1: "));
    }
    if (hidden.isEmpty() && profiler.hidesEnvironment()) {
      hidden = "its environment";
    }
  }

  /**
   * Reads a source of configuration: text after {@code yaml:}, or a file with or without {@code
   * file:}.
   */
  private void read(TargetProcess profiler, String source) {
    if (source.startsWith("yaml:")) {
      configuration.append('\n').append(source.substring(5).replace("::", "\n"));
      return;
    }
    Path file = profiler.inRoot(profiler.absolute(source.replaceFirst("^file:", "")).toString());
    try {
      // Kubernetes mounts links to files in the same directory.
      Path target = Files.isSymbolicLink(file) ? Files.readSymbolicLink(file) : file;
      boolean isElsewhere = !target.equals(file) && target.isAbsolute();
      String text = ProcFiles.text(isElsewhere ? profiler.inRoot(target.toString()) : file);
      configuration.append('\n').append(text.replaceAll("(?m)#.*$", ""));
    } catch (IOException | RuntimeException e) {
      hidden = source;
    }
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
      if (argument.matches("--?" + option) && i + 1 < command.size()) {
        values.add(command.get(i + 1));
      } else if (argument.matches("(?s)--?" + option + "=.*")) {
        values.add(argument.substring(argument.indexOf('=') + 1));
      }
    }
    return values;
  }

  /** Returns the options that produce ids for events other than ticks of the CPU clock, or "". */
  String otherEvents() {
    List<String> found = new ArrayList<>();
    if (isAbove0(value("off-cpu-threshold", "0"))) {
      found.add("-off-cpu-threshold " + value("off-cpu-threshold", ""));
    }
    if (!value("probe-link", "").isEmpty()) {
      found.add("-probe-link " + value("probe-link", ""));
    }
    if (command.stream().anyMatch(argument -> argument.matches("--?load-probe(=(true|t|1))?"))) {
      found.add("-load-probe");
    }
    if (isAbove0(configured(OFF_CPU, "0"))) {
      found.add("off_cpu_threshold: " + configured(OFF_CPU, ""));
    }
    if (!configured(PROBES, "[]").matches("\\[]|null|~")) {
      found.add("probes");
    }
    if (configured(LOAD_PROBE, "false").equals("true")) {
      found.add("load_probe");
    }
    return String.join(", ", found);
  }

  /** Returns a source of options that cannot be read, or "". */
  String hidden() {
    return hidden;
  }

  private String configured(Pattern setting, String otherwise) {
    Matcher matcher = setting.matcher(configuration);
    String value = matcher.find() ? String.valueOf(matcher.group(1)).trim() : otherwise;
    return value.contains("${") ? value : value.replaceAll("[\"'}]", "");
  }

  private static Pattern setting(String name) {
    return Pattern.compile("(?:^|[\\s{,])\"?" + name + "\"?\\s*:([^\n,]*)");
  }

  /** Also returns true for a value that only the profiler can resolve, such as a variable. */
  private static boolean isAbove0(String value) {
    return !value.matches("0*\\.?0*");
  }
}
