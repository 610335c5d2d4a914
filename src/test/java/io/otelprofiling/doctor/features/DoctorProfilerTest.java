/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.correlation.testing.DoctorReport;
import io.otelprofiling.correlation.testing.NativeProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: the doctor warns about profiler options with which an id no longer stands for CPU time
 * only.
 */
@DisabledIfSystemProperty(
    named = "test.emulated",
    matches = "true",
    disabledReason = "reading an emulated process reads the memory of the emulator")
class DoctorProfilerTest {
  private static final String EVENTS = "host.profiler-events";

  @TempDir Path directory;

  @BeforeEach
  void assumeNamespaces() {
    NativeProgram.assumeWorks(
        "needs root and unshare for namespaces", "unshare", "--pid", "--fork", "true");
  }

  /** Runs the doctor in a PID namespace, together with a program of this name. */
  private DoctorReport examine(String name, String before, String options) throws IOException {
    Path program = directory.resolve(name);
    if (!Files.exists(program)) {
      Files.copy(Path.of("/bin/sh").toRealPath(), program);
      NativeProgram.run(List.of("mkfifo", directory.resolve("started").toString()));
    }
    String started = directory.resolve("started").toString();
    String script =
        "cd "
            + directory
            + "; "
            + before
            + program
            + " -c 'echo > "
            + started
            + "; sleep 999; :' "
            + options
            + " & read line < "
            + started
            + "; \"$@\"; exit $?";
    List<String> prefix = new ArrayList<>(List.of("unshare", "--pid", "--fork", "--mount-proc"));
    prefix.addAll(List.of("sh", "-c", script, "sh"));
    return DoctorReport.run(prefix, List.of("1", "--json"));
  }

  private void assertEvents(String name, String options, String seen) throws IOException {
    DoctorReport report = examine(name, "", options);

    assertThat(report.verdict(EVENTS)).as(report.output()).isEqualTo("warning");
    assertThat(report.check(EVENTS).seen()).contains(seen, "a wait or a probe hit");
    assertThat(report.check(EVENTS).remedy()).contains("What an id says", "docs/backends.md");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-off-cpu-threshold 0.1",
        "--off-cpu-threshold=1",
        "-probe-link kprobe:vfs_open",
        "--load-probe"
      })
  void events_byAnOption_areAWarning(String option) throws IOException {
    assertEvents("ebpf-profiler", option, option.split("[ =]")[0].replaceFirst("--", "-"));
  }

  @Test
  void events_byAVariable_areAWarning() throws IOException {
    DoctorReport report =
        examine("ebpf-profiler", "OTEL_PROFILING_AGENT_OFF_CPU_THRESHOLD=0.5 ", "");

    assertThat(report.verdict(EVENTS)).as(report.output()).isEqualTo("warning");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-off-cpu-threshold 0", "--off-cpu-threshold=0.0"})
  void events_ofTheClockOnly_areRight(String option) throws IOException {
    assertThat(examine("ebpf-profiler", "", option).verdict(EVENTS)).isEqualTo("ok");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--config=/etc/config.yaml", "--set=receivers.profiling.off_cpu_threshold=0.2"})
  void configuration_ofACollector_isLeftToTheReader(String option) throws IOException {
    DoctorReport report = examine("otelcol-ebpf-profiler", "", option);

    assertThat(report.verdict(EVENTS)).as(report.output()).isEqualTo("could not look");
    assertThat(report.check(EVENTS).seen()).contains(option.split("=", 2)[1]);
    assertThat(report.check(EVENTS).remedy()).contains("off_cpu_threshold");
    assertThat(report.check("host.profiler-options").remedy()).contains("tracers");
  }

  @Test
  void tracefs_notMountedForTheProfiler_isAWarning() throws IOException {
    DoctorReport report = examine("ebpf-profiler", "umount -l -a -t tracefs,debugfs; ", "");

    assertThat(report.verdict("host.tracefs")).as(report.output()).isEqualTo("warning");
    assertThat(report.check("host.tracefs").seen()).contains("for the profiler");
  }
}
