/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import java.util.List;
import java.util.stream.Collectors;

/** The checks of the host, and of the profilers on it. */
final class HostRules {
  static final Section HOST =
      new Section(
          "Host",
          new Check<String>("host.kernel", "/proc/sys/kernel/osrelease", s -> s.host.kernel())
              .warning(
                  HostFacts::isOld, "%s", "The public eBPF profiler needs Linux 5.10 or later.")
              .ok("%s"),
          new Check<String>(
                  "host.tracefs",
                  "the mounts of the profiler, or of the host",
                  s -> s.host.tracefs())
              .ok("mounted"::equals, "%s")
              .warning(
                  mounts -> true,
                  "tracefs is %s",
                  "The eBPF profiler needs it: mount -t tracefs none /sys/kernel/tracing."),
          new Check<String>("host.rights", "two settings of the kernel", s -> s.host.rights())
              .ok("%s: a profiler must be root, or have CAP_BPF, CAP_PERFMON and CAP_SYS_PTRACE"),
          new Check<List<HostFacts.Profiler>>(
                  "host.profiler", "the names of processes", HostRules::profilers, HostRules::names)
              .warning(
                  List::isEmpty,
                  "no process looks like a profiler",
                  "Start one: ebpf-profiler, or Elastic's Universal Profiling agent.")
              .warning(
                  found -> found.size() > 1,
                  "several profilers run: %s",
                  "Each sends its ids, so CPU time counts as often: run one.")
              .ok("%s"),
          new Check<String>(
                  "host.profiler-sampling",
                  "BPF programs and perf events among its open files",
                  s -> s.host.ofEach(s.host::notBegun))
              .warning(
                  idle -> !idle.isEmpty(),
                  "%s runs, but has not begun to sample: it has no BPF program and no perf event"
                      + " open",
                  "It waits for its receiver, or has failed: see its log. -collection-agent must be"
                      + " an OTLP/gRPC receiver that runs, with TLS unless -disable-tls is set.")
              .ok("it has BPF programs or perf events open, or is a stand-in"),
          new Check<String>(
                  "host.pid-namespace",
                  "the PID namespaces of profiler and process",
                  s -> s.host.ofEach(s.host::namespace))
              .ok("the host's, or that of this process"),
          new Check<String>(
                  "host.profiler-options",
                  "its command and variables",
                  s -> s.host.ofEach(HostFacts::tracers))
              .warning(
                  tracers -> !tracers.isEmpty(),
                  "its tracers are %s",
                  "With fewer than all, the public profiler may not read the ids: start it with"
                      + " -tracers all.")
              .ok("all tracers"),
          new Check<String>(
                  "host.profiler-events",
                  "its command and variables",
                  s -> s.host.ofEach(HostFacts::events))
              .warning(
                  events -> !events.isEmpty(),
                  "%s: an id may represent a wait or a probe hit",
                  "The number of ids then does not measure CPU time: remove these options, or count"
                      + " by Links. See \"What an id says\" in docs/backends.md.")
              .ok("the CPU clock only"),
          new Check<String>("host.realtime", "capabilities and limits", s -> s.host.realTime())
              .ok("%s"));

  /** Returns the profilers. Whether one is missing can be seen on the host only. */
  private static Evidence<List<HostFacts.Profiler>> profilers(Subject subject) {
    return subject
        .host
        .profilers
        .get()
        .then(
            found ->
                found.isEmpty() && !subject.host.isHost()
                    ? Evidence.unread(
                        "no profiler is visible, but processes of the host, or of other users, are hidden"
                            + " here",
                        "Run the doctor as root on the host, or in a container with hostPID: true.")
                    : Evidence.of(found));
  }

  private static String names(List<HostFacts.Profiler> profilers) {
    return profilers.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private HostRules() {}
}
