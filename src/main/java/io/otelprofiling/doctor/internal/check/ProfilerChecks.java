/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Right;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.report.Report;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks whether a profiler runs, and whether its options are right for this protocol. */
final class ProfilerChecks {
  private static final String INIT_PID_NAMESPACE = "pid:[4026531836]";
  private static final String PROFILER =
      "ebpf-profiler.*|pf-host-agent.*|otelcol-ebpf-profiler.*|parca-agent|stand-in-profiler";

  private final Report report;
  private final TargetProcess self;

  ProfilerChecks(Report report, TargetProcess self) {
    this.report = report;
    this.self = self;
  }

  static boolean isPidNamespaceOfHost(TargetProcess process) {
    return process.link("ns/pid").equals(INIT_PID_NAMESPACE);
  }

  static @Nullable TargetProcess findProfiler() throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(Paths.get("/proc"), "[0-9]*")) {
      for (Path entry : entries) {
        TargetProcess process = new TargetProcess(Integer.parseInt(entry.getFileName().toString()));
        List<String> command = process.commandLine();
        String program = command.isEmpty() ? "" : command.get(0);
        if (program.substring(program.lastIndexOf('/') + 1).matches(PROFILER)) {
          return process;
        }
      }
    }
    return null;
  }

  void examine(@Nullable TargetProcess profiler) {
    if (profiler == null) {
      none();
      return;
    }
    report.ok("host.profiler", profiler.pid + " " + profiler.name());
    namespace(profiler);
    ProfilerOptions options = new ProfilerOptions(profiler);
    tracers(options);
    events(profiler, options);
  }

  private void none() {
    if (!isPidNamespaceOfHost(self)) {
      report.couldNotLook(
          "host.profiler",
          "none is visible, but this PID namespace of a container hides the host's processes",
          "Run the doctor on the host, or in a container with hostPID: true.");
    } else if (TargetProcess.hidesOthers()) {
      report.couldNotLook(
          "host.profiler",
          "none is visible, but /proc is mounted with hidepid and hides other users' processes",
          Right.remedy(new TargetProcess(1), Right.TRACE));
    } else {
      report.warning(
          "host.profiler",
          "no process looks like a profiler",
          "Start one: ebpf-profiler, or Elastic's Universal Profiling agent.");
    }
  }

  private void namespace(TargetProcess profiler) {
    if (profiler.link("ns/pid").isEmpty()) {
      report.couldNotLook(
          "host.pid-namespace",
          "the PID namespace of the profiler cannot be read",
          Right.remedy(profiler, Right.TRACE));
    } else if (isPidNamespaceOfHost(profiler)) {
      report.ok("host.pid-namespace", "the host's");
    } else {
      report.warning(
          "host.pid-namespace",
          "the profiler runs in another PID namespace than the host's",
          "It cannot see processes outside of it: run it with hostPID: true or --pid=host.");
    }
  }

  private void tracers(ProfilerOptions options) {
    String tracers = options.value("tracers", options.value("t", ""));
    if (!tracers.isEmpty() && !tracers.matches(".*\\ball\\b.*")) {
      report.warning(
          "host.profiler-options",
          "its tracers are " + tracers,
          "The tracer that reads this plug-in's memory is missing: start it with -tracers all.");
    } else {
      report.ok("host.profiler-options", tracers.isEmpty() ? "all tracers" : "tracers " + tracers);
    }
  }

  /** Checks whether the profiler also sends ids for events other than ticks of the CPU clock. */
  private void events(TargetProcess profiler, ProfilerOptions options) {
    String others = options.otherEvents();
    if (!others.isEmpty()) {
      report.warning(
          "host.profiler-events",
          others + ": an id may represent a wait or a probe hit",
          "The number of ids then does not measure CPU time: remove these options, or count by"
              + " Links. See \"What an id says\" in docs/backends.md.");
    } else if (!options.hidden().isEmpty()) {
      report.couldNotLook(
          "host.profiler-events",
          options.hidden() + " cannot be read",
          Right.remedy(profiler, Right.TRACE, Right.READ_FILES));
    } else {
      report.ok("host.profiler-events", "the CPU clock only");
    }
  }
}
