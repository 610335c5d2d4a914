/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.ProcFiles;
import io.otelprofiling.doctor.internal.proc.RootedPath;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The options of a profiler: those of the program, its variables, and the configuration that the
 * command of a collector names. Only the options that matter are looked for.
 */
final class ProfilerOptions {
  private static final String VARIABLE = "OTEL_PROFILING_AGENT_";
  private static final int MAX_LINES = 100_000;

  private final List<String> command;
  private final Map<String, String> environment;
  private final List<String> configuration = new ArrayList<>();
  private String hidden = "";

  ProfilerOptions(TargetProcess profiler) {
    command = profiler.commandLine();
    environment = profiler.environment();
    for (String source : values("config")) {
      read(profiler, source);
    }
    for (String setting : values("set")) {
      int equals = Math.max(setting.indexOf('='), 0);
      int dot = setting.lastIndexOf('.', equals);
      configuration.add(setting.substring(dot + 1).replaceFirst("=", ": "));
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
    String text = source;
    if (source.startsWith("yaml:")) {
      text = source.substring(5).replace("::", "\n");
    } else {
      String name = source.startsWith("file:") ? source.substring(5) : source;
      try {
        String absolute = name.startsWith("/") ? name : profiler.link("cwd") + "/" + name;
        Path file = RootedPath.of(profiler, absolute).path;
        // Kubernetes mounts links to files in the same directory.
        for (int links = 0; Files.isSymbolicLink(file) && links < 8; links++) {
          absolute = absolute.substring(0, absolute.lastIndexOf('/') + 1);
          String target = Files.readSymbolicLink(file).toString();
          absolute = target.startsWith("/") ? target : absolute + target;
          file = RootedPath.of(profiler, absolute).path;
        }
        if (!Files.isRegularFile(file)) {
          throw new IOException(name + " is not a file");
        }
        text = ProcFiles.text(file);
      } catch (IOException | RuntimeException e) {
        hidden = source;
        return;
      }
    }
    String[] lines = text.split("[\n,{}]", MAX_LINES);
    for (String line : lines) {
      int comment = line.indexOf('#');
      configuration.add((comment < 0 ? line : line.substring(0, comment)).trim());
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
      String name = argument.startsWith("--") ? argument.substring(1) : argument;
      if (name.equals("-" + option) && i + 1 < command.size()) {
        values.add(command.get(i + 1));
      } else if (name.startsWith("-" + option + "=")) {
        values.add(argument.substring(argument.indexOf('=') + 1));
      }
    }
    return values;
  }

  /** Returns whether its tracers are all, or the option is not used. */
  boolean hasAllTracers() {
    return tracers().isEmpty() || Arrays.asList(tracers().split("[,\\s]+", 0)).contains("all");
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
    for (int i = 0; i < configuration.size(); i++) {
      String name = configured(i);
      String value = configuration.get(i).substring(configuration.get(i).indexOf(':') + 1);
      value = value.replaceAll("[\"']", "").trim();
      if (name.equals("off_cpu_threshold") && isAbove0(value)) {
        found.add("off_cpu_threshold: " + value);
      } else if (name.equals("load_probe") && value.equals("true")) {
        found.add("load_probe");
      } else if (name.equals("probes") && !value.matches("\\[ *]|null|~")) {
        found.add("probes");
      } else if (isOffCpu(configuration.get(i)) || (name.equals("extensions") && isOffCpu(value))) {
        found.add("extensions: offcpu");
      }
    }
    return String.join(", ", found);
  }

  /** Returns whether a line names the extension: as a key, in a list, or as an item of one. */
  private static boolean isOffCpu(String line) {
    String item = line.replaceAll("[\\[\\]\"' :-]", "");
    return item.equals("offcpu");
  }

  private String configured(int i) {
    String line = configuration.get(i);
    int colon = line.indexOf(':');
    return colon < 0 ? "" : line.substring(0, colon).replaceAll("[\"'\\s-]", "");
  }

  /** Returns a source of options that cannot be read, or "". */
  String hidden() {
    return hidden;
  }

  /** Also returns true for a value that only the profiler can resolve, such as a variable. */
  private static boolean isAbove0(String value) {
    return !value.replace("0", "").replace(".", "").isEmpty();
  }
}
