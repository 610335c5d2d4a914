/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.doctor.check;

import io.otelprofiling.correlation.internal.doctor.proc.ProcFiles;
import io.otelprofiling.correlation.internal.doctor.proc.TargetProcess;
import io.otelprofiling.correlation.internal.doctor.report.Report;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a profiler needs of the host, and whether one runs. */
final class HostSection {
  private static final String INIT_PID_NAMESPACE = "pid:[4026531836]";
  private static final long CAP_SYS_NICE = 1L << 23;

  private final Subject subject;
  private final Report report;

  private HostSection(Subject subject, Report report) {
    this.subject = subject;
    this.report = report;
  }

  static void examine(Subject subject, Report report) throws IOException {
    report.section("Host");
    HostSection section = new HostSection(subject, report);
    section.kernel();
    section.profiler();
    section.realTime();
  }

  private void kernel() {
    String release = String.valueOf(ProcFiles.line(Paths.get("/proc/sys/kernel/osrelease")));
    String[] parts = release.split("\\D+", 0);
    boolean isOld =
        parts.length > 1 && Integer.parseInt(parts[0]) * 100 + Integer.parseInt(parts[1]) < 510;
    if (isOld) {
      report.warning("host.kernel", release, "The public eBPF profiler needs Linux 5.10 or later.");
    } else {
      report.ok("host.kernel", release);
    }
    if (!Files.exists(Paths.get("/sys/kernel/tracing/events"))
        && !Files.exists(Paths.get("/sys/kernel/debug/tracing/events"))) {
      report.warning(
          "host.tracefs",
          "tracefs is not mounted here",
          "The eBPF profiler needs it: mount -t tracefs none /sys/kernel/tracing.");
    } else {
      report.ok("host.tracefs", "mounted");
    }
    String paranoid = ProcFiles.line(Paths.get("/proc/sys/kernel/perf_event_paranoid"));
    String bpf = ProcFiles.line(Paths.get("/proc/sys/kernel/unprivileged_bpf_disabled"));
    report.ok(
        "host.rights",
        "kernel.perf_event_paranoid "
            + paranoid
            + ", kernel.unprivileged_bpf_disabled "
            + bpf
            + ": a profiler has to be root, or have CAP_BPF, CAP_PERFMON and CAP_SYS_PTRACE");
  }

  private void profiler() throws IOException {
    TargetProcess self = new TargetProcess(TargetProcess.self());
    boolean isHost = self.link("ns/pid").equals(INIT_PID_NAMESPACE);
    TargetProcess profiler = findProfiler();
    if (profiler == null) {
      report.warning(
          "host.profiler",
          isHost
              ? "no process looks like a profiler"
              : "none is visible, but this is a container's PID namespace, which hides the host's",
          isHost
              ? "Start one: ebpf-profiler, or Elastic's Universal Profiling agent."
              : "Look on the host: run the doctor there, or with hostPID: true.");
      return;
    }
    report.ok("host.profiler", profiler.pid + " " + profiler.name());
    String ofProfiler = profiler.link("ns/pid");
    if (!ofProfiler.isEmpty() && !ofProfiler.equals(INIT_PID_NAMESPACE)) {
      report.warning(
          "host.pid-namespace",
          "the profiler is in a PID namespace of its own",
          "It does not see the processes of others: run it with hostPID: true or --pid=host.");
    } else {
      report.ok("host.pid-namespace", ofProfiler.isEmpty() ? "not visible" : "that of the host");
    }
    options(profiler);
  }

  private void options(TargetProcess profiler) {
    List<String> command = profiler.commandLine();
    String tracers = "";
    for (int i = 0; i < command.size(); i++) {
      String argument = command.get(i);
      if (argument.matches("--?(t|tracers)") && i + 1 < command.size()) {
        tracers = command.get(i + 1);
      } else if (argument.matches("--?(t|tracers)=.*")) {
        tracers = argument.substring(argument.indexOf('=') + 1);
      }
    }
    if (!tracers.isEmpty() && !tracers.matches(".*\\ball\\b.*")) {
      report.warning(
          "host.profiler-options",
          "its tracers are " + tracers,
          "They leave out the one that reads this plug-in's memory: start it with -tracers all.");
    } else {
      report.ok("host.profiler-options", tracers.isEmpty() ? "all tracers" : "tracers " + tracers);
    }
  }

  private @Nullable TargetProcess findProfiler() throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(Paths.get("/proc"), "[0-9]*")) {
      for (Path entry : entries) {
        TargetProcess process = new TargetProcess(Integer.parseInt(entry.getFileName().toString()));
        List<String> command = process.commandLine();
        String program = command.isEmpty() ? "" : command.get(0);
        if (program
            .substring(program.lastIndexOf('/') + 1)
            .matches(
                "ebpf-profiler.*|pf-host-agent.*|otelcol-ebpf-profiler.*|parca-agent|stand-in-profiler")) {
          return process;
        }
      }
    }
    return null;
  }

  /** The receiver of messages is not delayed by busy CPUs if it may ask for real-time priority. */
  private void realTime() {
    String capabilities = subject.process.status("CapEff");
    boolean isAllowed =
        !capabilities.isEmpty() && (Long.parseUnsignedLong(capabilities, 16) & CAP_SYS_NICE) != 0;
    String limit = "0";
    try {
      for (String line : ProcFiles.text(subject.process.file("limits")).split("\n", 0)) {
        if (line.startsWith("Max realtime priority")) {
          limit = line.substring(21).trim().split("\\s+", 0)[0];
        }
      }
    } catch (IOException e) {
      limit = "unknown";
    }
    report.ok(
        "host.realtime",
        isAllowed || !limit.equals("0")
            ? "the receiver may have real-time priority"
            : "no CAP_SYS_NICE and RLIMIT_RTPRIO 0: on busy CPUs, the kernel may refuse messages");
  }
}
