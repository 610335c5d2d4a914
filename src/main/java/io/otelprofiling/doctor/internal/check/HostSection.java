/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.ProcFiles;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.report.Report;
import java.io.IOException;
import java.nio.file.Paths;
import org.jspecify.annotations.Nullable;

/** Checks what a profiler requires of the host. */
final class HostSection {
  private static final String SETTINGS = "/proc/sys/kernel/";
  private static final String FILE_MISSING =
      "The file is missing: run the doctor where /proc is complete.";
  private static final int CAP_SYS_NICE = 23;

  private final Subject subject;
  private final Report report;
  private final TargetProcess self = new TargetProcess(TargetProcess.self());

  private HostSection(Subject subject, Report report) {
    this.subject = subject;
    this.report = report;
  }

  static void examine(Subject subject, Report report) throws IOException {
    report.section("Host");
    HostSection section = new HostSection(subject, report);
    TargetProcess profiler = ProfilerChecks.findProfiler();
    section.kernel();
    section.tracefs(profiler);
    section.rights();
    new ProfilerChecks(report, section.self).examine(profiler);
    section.realTime();
  }

  private void kernel() {
    String release = setting("osrelease");
    if (!release.matches("\\d+\\.\\d+.*")) {
      report.couldNotLook("host.kernel", SETTINGS + "osrelease is missing or empty", FILE_MISSING);
      return;
    }
    String[] parts = release.split("\\D+", 0);
    if (Integer.parseInt(parts[0]) * 100 + Integer.parseInt(parts[1]) < 510) {
      report.warning("host.kernel", release, "The public eBPF profiler needs Linux 5.10 or later.");
    } else {
      report.ok("host.kernel", release);
    }
  }

  /** Prefers the mounts that the profiler sees: each mount namespace has different ones. */
  private void tracefs(@Nullable TargetProcess profiler) throws IOException {
    String mounts = ProcFiles.text(self.file("mounts"));
    boolean isOfProfiler = profiler != null && !ProcFiles.isClosed(profiler.file("mounts"));
    if (profiler != null && isOfProfiler) {
      mounts = ProcFiles.text(profiler.file("mounts"));
    }
    if (mounts.matches("(?s).* (tracefs|debugfs) .*")) {
      report.ok("host.tracefs", "mounted");
    } else if (isOfProfiler || isMountNamespaceOfHost()) {
      report.warning(
          "host.tracefs",
          "tracefs is not mounted " + (isOfProfiler ? "for the profiler" : "here"),
          "The eBPF profiler needs it: mount -t tracefs none /sys/kernel/tracing.");
    } else {
      report.couldNotLook(
          "host.tracefs",
          "it is not mounted here, but this may not be the host's mount namespace",
          "Run the doctor on the host, or in a container with hostPID: true through nsenter -t 1"
              + " -m.");
    }
  }

  private boolean isMountNamespaceOfHost() {
    return ProfilerChecks.isPidNamespaceOfHost(self)
        && self.link("ns/mnt").equals(new TargetProcess(1).link("ns/mnt"));
  }

  private void rights() {
    String paranoid = setting("perf_event_paranoid");
    String bpf = setting("unprivileged_bpf_disabled");
    if (paranoid.isEmpty() || bpf.isEmpty()) {
      report.couldNotLook(
          "host.rights",
          SETTINGS
              + (bpf.isEmpty() ? "unprivileged_bpf_disabled" : "perf_event_paranoid")
              + " is missing or empty",
          FILE_MISSING);
      return;
    }
    report.ok(
        "host.rights",
        "kernel.perf_event_paranoid "
            + paranoid
            + ", kernel.unprivileged_bpf_disabled "
            + bpf
            + ": a profiler must be root, or have CAP_BPF, CAP_PERFMON and CAP_SYS_PTRACE");
  }

  private static String setting(String name) {
    String value = ProcFiles.line(Paths.get(SETTINGS + name));
    return value == null ? "" : value;
  }

  /** With real-time priority, the receiver of messages keeps up even when all CPUs are busy. */
  private void realTime() throws IOException {
    String limit = "0";
    for (String line : ProcFiles.text(subject.process.file("limits")).split("\n", 0)) {
      if (line.startsWith("Max realtime priority")) {
        limit = line.substring(21).trim().split("\\s+", 0)[0];
      }
    }
    report.ok(
        "host.realtime",
        subject.process.hasCapability(CAP_SYS_NICE) || !limit.equals("0")
            ? "the receiver may have real-time priority"
            : "no CAP_SYS_NICE and RLIMIT_RTPRIO 0: on busy CPUs, the kernel may refuse messages");
  }
}
