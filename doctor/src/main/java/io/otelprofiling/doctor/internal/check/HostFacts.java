/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.ProcFiles;
import io.otelprofiling.doctor.internal.proc.Right;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What can be read of the host and of the profilers on it. */
final class HostFacts {
  private static final String SETTINGS = "/proc/sys/kernel/";
  private static final String INIT_PID_NAMESPACE = "pid:[4026531836]";
  private static final int CAP_SYS_NICE = 23;
  private static final String[] PROGRAMS = {
    "ebpf-profiler", "pf-host-agent", "otelcol-ebpf-profiler", "otelcol-ebpf-pr", "parca-agent"
  };
  private static final String STAND_IN = "stand-in-profil";

  private static @Nullable List<Profiler> known;

  /** A profiler, with what its command and its open files say. */
  static final class Profiler {
    final TargetProcess process;
    final ProfilerOptions options;
    final boolean isStandIn;

    Profiler(TargetProcess process, boolean isStandIn) {
      this.process = process;
      this.isStandIn = isStandIn;
      options = new ProfilerOptions(process);
    }

    /** Returns whether it has programs in the kernel, or perf events. */
    boolean hasBegun() throws IOException {
      return isStandIn || hasPrograms(process);
    }

    @Override
    public String toString() {
      return process.pid + " " + process.name();
    }
  }

  private static boolean hasPrograms(TargetProcess process) throws IOException {
    return process.openFiles().stream()
        .anyMatch(file -> file.contains("perf_event") || file.contains("bpf-prog"));
  }

  /** Returns whether a collector samples itself. Most only receive what others sample. */
  private static boolean samples(TargetProcess collector) {
    try {
      return hasPrograms(collector);
    } catch (IOException e) {
      return false;
    }
  }

  private final Subject subject;
  private final TargetProcess self = new TargetProcess(TargetProcess.self());
  final Fact<List<Profiler>> profilers;

  HostFacts(Subject subject) {
    this.subject = subject;
    profilers = subject.fact("/proc", () -> Evidence.of(findProfilers()));
  }

  /** Looks once, also if several processes are examined. */
  private static synchronized List<Profiler> findProfilers() throws IOException {
    if (known != null) {
      return known;
    }
    List<Profiler> found = new ArrayList<>();
    for (TargetProcess process : TargetProcess.all()) {
      List<String> command = process.commandLine();
      String first = command.isEmpty() ? "" : command.get(0);
      String name = first.substring(first.lastIndexOf('/') + 1);
      boolean isStandIn = name.startsWith(STAND_IN);
      boolean isKnown = isStandIn || (name.startsWith("otelcol") && samples(process));
      for (String program : PROGRAMS) {
        isKnown |= name.startsWith(program);
      }
      if (isKnown) {
        found.add(new Profiler(process, isStandIn));
      }
    }
    known = found;
    return found;
  }

  private static Evidence<String> setting(String name) {
    String value = ProcFiles.line(Paths.get(SETTINGS + name));
    return value == null || value.isEmpty()
        ? Evidence.unread(
            SETTINGS + name + " is missing or empty",
            "The file is missing: run the doctor where /proc is complete.")
        : Evidence.of(value);
  }

  Evidence<String> kernel() {
    return setting("osrelease");
  }

  Evidence<String> rights() {
    return setting("perf_event_paranoid")
        .then(
            paranoid ->
                setting("unprivileged_bpf_disabled")
                    .map(
                        bpf ->
                            "kernel.perf_event_paranoid "
                                + paranoid
                                + ", kernel.unprivileged_bpf_disabled "
                                + bpf));
  }

  /** Returns whether a release of Linux is older than 5.10. */
  static boolean isOld(String release) {
    String[] parts = release.split("[^0-9]", 3);
    if (parts.length < 2 || parts[0].length() > 4 || parts[1].length() > 4) {
      return false;
    }
    int major = parts[0].isEmpty() ? 99 : Integer.parseInt(parts[0]);
    int minor = parts[1].isEmpty() ? 99 : Integer.parseInt(parts[1]);
    return major < 5 || (major == 5 && minor < 10);
  }

  boolean isHost() {
    return self.link("ns/pid").equals(INIT_PID_NAMESPACE) && !TargetProcess.hidesOthers();
  }

  /** Returns "mounted" or "not mounted", for the profilers or, without one, for the host. */
  Evidence<String> tracefs() {
    Evidence<List<Profiler>> found = profilers.get();
    List<Profiler> running = found.value;
    boolean isSeenOnHost =
        isHost() && self.link("ns/mnt").equals(new TargetProcess(1).link("ns/mnt"));
    List<TargetProcess> viewers = new ArrayList<>();
    if (running != null) {
      running.stream()
          .filter(profiler -> !profiler.isStandIn) // which needs none
          .forEach(profiler -> viewers.add(profiler.process));
    }
    boolean isOfProfiler = !viewers.isEmpty();
    if (!isOfProfiler) {
      viewers.add(self);
    }
    Evidence<String> last = Evidence.none("");
    for (TargetProcess viewer : viewers) {
      last = mounts(viewer, isOfProfiler);
      if (!"mounted".equals(last.value)) {
        break;
      }
    }
    return isOfProfiler || isSeenOnHost || "mounted".equals(last.value)
        ? last
        : Evidence.unread(
            "it is not mounted here, but this may not be the host's mount namespace",
            "Run the doctor on the host, or in a container with hostPID: true through nsenter -t 1"
                + " -m.");
  }

  private static Evidence<String> mounts(TargetProcess viewer, boolean isProfiler) {
    try {
      for (String line : ProcFiles.lines(viewer.file("mounts"), StandardCharsets.ISO_8859_1)) {
        if (line.contains(" tracefs ") || line.contains(" debugfs ")) {
          return Evidence.of("mounted");
        }
      }
      return Evidence.of("not mounted" + (isProfiler ? " for the profiler" : ""));
    } catch (IOException e) {
      return Evidence.unread(
          "the mounts of the profiler cannot be read", Right.remedy(viewer, Right.TRACE));
    }
  }

  /** With real-time priority, the receiver of messages keeps up even when all CPUs are busy. */
  Evidence<String> realTime() {
    try {
      Path limits = subject.process.file("limits");
      for (String line : ProcFiles.lines(limits, StandardCharsets.US_ASCII)) {
        if (line.startsWith("Max realtime priority")) {
          boolean isNone = line.substring(21).trim().startsWith("0 ");
          return Evidence.of(
              subject.process.hasCapability(CAP_SYS_NICE) || !isNone
                  ? "the receiver may have real-time priority"
                  : "no CAP_SYS_NICE and RLIMIT_RTPRIO 0: on busy CPUs, the kernel may refuse"
                      + " messages");
        }
      }
    } catch (IOException e) {
      return Evidence.unread("its limits cannot be read", subject.rightsToRead());
    }
    return Evidence.unread("its limits do not name one", "");
  }

  /** Returns a text about each profiler for which there is one; each line names its process. */
  Evidence<String> ofEach(Function<Profiler, Evidence<String>> reading) {
    Evidence<List<Profiler>> all = profilers.get();
    List<Profiler> found = all.value;
    if (found == null || found.isEmpty()) {
      return Evidence.none("");
    }
    List<String> texts = new ArrayList<>();
    for (Profiler profiler : found) {
      Evidence<String> evidence = reading.apply(profiler);
      if (evidence.isUnread) {
        return Evidence.unread(profiler + ": " + evidence.reason, evidence.remedy);
      }
      String text = evidence.value;
      if (text != null && !text.isEmpty()) {
        texts.add(found.size() == 1 ? text : profiler.process.pid + ": " + text);
      }
    }
    return Evidence.of(texts.stream().distinct().collect(Collectors.joining("; ")));
  }

  /** Returns the profilers that run and have nothing in the kernel that samples; "" if all have. */
  Evidence<String> notBegun(Profiler profiler) {
    try {
      return Evidence.of(profiler.hasBegun() ? "" : profiler.toString());
    } catch (IOException e) {
      return Evidence.unread(
          "its open files cannot be read", Right.remedy(profiler.process, Right.TRACE));
    }
  }

  /** Returns "" if a profiler is in the namespace of the host or of the process. */
  Evidence<String> namespace(Profiler profiler) {
    String its = profiler.process.link("ns/pid");
    String ours = subject.process.link("ns/pid");
    if (its.isEmpty() || ours.isEmpty()) {
      return Evidence.unread(
          "its PID namespace, or that of the process, cannot be read",
          Right.remedy(its.isEmpty() ? profiler.process : subject.process, Right.TRACE));
    }
    return its.equals(INIT_PID_NAMESPACE) || its.equals(ours)
        ? Evidence.of("")
        : Evidence.unread(
            "it is in another PID namespace than the host and this process, so it may not see it",
            "Run it with hostPID: true or --pid=host.");
  }

  /** Returns the tracers, or "" if they are all. */
  static Evidence<String> tracers(Profiler profiler) {
    String named = profiler.options.tracers();
    return named.isEmpty()
        ? unlessElsewhere(profiler, "tracers")
        : Evidence.of(profiler.options.hasAllTracers() ? "" : named);
  }

  static Evidence<String> events(Profiler profiler) {
    String others = profiler.options.otherEvents();
    return others.isEmpty()
        ? unlessElsewhere(
            profiler, "off_cpu_threshold, probes, load_probe and the extension offcpu")
        : Evidence.of(others);
  }

  /** Returns "" if no option is set where the doctor does not look. */
  private static Evidence<String> unlessElsewhere(Profiler profiler, String names) {
    return !profiler.options.configuration.isEmpty()
        ? Evidence.unread(
            "its configuration is not read: " + profiler.options.configuration,
            "Look there for " + names + ".")
        : profiler.process.hidesEnvironment()
            ? Evidence.unread(
                "its environment cannot be read",
                Right.remedy(profiler.process, Right.TRACE, Right.READ_FILES))
            : Evidence.of("");
  }
}
