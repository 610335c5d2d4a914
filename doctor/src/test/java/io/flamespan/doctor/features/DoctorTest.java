/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.DoctorReport;
import io.flamespan.correlation.testing.NativeProgram;
import io.flamespan.correlation.testing.NotInEmulation;
import io.flamespan.correlation.testing.RunningCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Promise: one command says whether a running process works and, if not, why. */
@NotInEmulation("reading an emulated process reads the memory of the emulator")
class DoctorTest {
  private static final long MAX_SIZE = 700_000;

  private static final String[] RIGHT = {
    "process.stopped",
    "library.mapped",
    "library.copies",
    "library.file",
    "library.symbols",
    "library.tls",
    "storage.set",
    "storage.layout",
    "socket.path",
    "socket.file",
    "socket.bound",
    "threads.records",
    "inside.state",
    "inside.exporters",
    "inside.spans",
    "inside.context-storage",
    "inside.virtual-threads",
    "inside.contexts",
    "inside.trouble",
    "inside.settings",
    "inside.answer"
  };

  @Test
  void process_thatWorks_hasNoFault() throws IOException {
    try (DoctorPatient patient = PatientJvm.start()) {
      DoctorReport report = patient.examine().exited(0);
      report.saw("storage.layout", "service patient");
      assertThat(report.check("socket.bound").seen()).startsWith("by this process");
      report.saw("threads.records", "1 show a trace now");
      report.saw("inside.state", "mode auto");
      report.says("ok", RIGHT);
      report.saw("inside.messages", "no profiler has sent anything");
    }
  }

  @Test
  void profilers_oneWithASamplingProgram_isNamedOnceItIsLoaded(@TempDir Path directory)
      throws IOException {
    String source = NativeProgram.source("sampling_program.c");
    Path program = NativeProgram.compile("gcc", directory.resolve("sampling_program"), source);
    NativeProgram.assumeWorks(
        "needs root and BPF", "sh", "-c", "timeout 1 " + program + " | grep loaded");
    try (DoctorPatient patient = PatientJvm.start()) {
      assertThat(patient.examine().check("host.profiler").seen())
          .doesNotContain("sampling_program");
      try (RunningCommand profiler = RunningCommand.start(List.of(program.toString()))) {
        profiler.awaitLine("loaded");

        patient
            .examine()
            .says("ok", "host.profiler")
            .saw("host.profiler", profiler.pid() + " sampling_program");
      }
    }
  }

  @Test
  void process_thatIsNotAJvm_couldNotBeExamined() throws Exception {
    Process sleep = new ProcessBuilder("sleep", "600").start();
    try {
      DoctorReport report = DoctorReport.of(sleep.pid()).exited(2);
      report.saw("library.mapped", "is not a running JVM");
    } finally {
      sleep.destroyForcibly();
    }
  }

  @Test
  void thread_insteadOfAProcess_isNamed() throws IOException {
    try (DoctorPatient patient = PatientJvm.start();
        var threads = Files.list(Path.of("/proc/" + patient.pid() + "/task"))) {
      long thread =
          threads
              .mapToLong(task -> Long.parseLong(task.getFileName().toString()))
              .filter(tid -> tid != patient.pid())
              .findFirst()
              .orElseThrow();
      DoctorReport report = DoctorReport.of(thread).exited(2);
      assertThat(report.output()).contains("is a thread of process " + patient.pid());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "999999999 --json, no process 999999999",
    "0 --json, no process 0",
    "0 --json, {\"error\":",
    "1 --json --watch, {\"error\":\"--watch prints lines",
    "--conformance, --conformance needs a PID",
    "--wach, --wach",
    "--wach, --watch"
  })
  void arguments_thatMakeNoSense_areExplained(String arguments, String explained) {
    DoctorReport report = DoctorReport.run(List.of(), List.of(arguments.split(" "))).exited(2);
    assertThat(report.output()).contains(explained);
  }

  @Test
  void help_wanted_isNoError() {
    DoctorReport.run(List.of(), List.of("-h")).exited(0);
  }

  @Test
  void doctor_inJar_isSmall() throws IOException {
    assertThat(Files.size(Path.of(DoctorReport.jar()))).isBetween(1L, MAX_SIZE);
    try (ZipFile jar = new ZipFile(DoctorReport.jar())) {
      assertThat(jar.stream().map(ZipEntry::getName))
          .anyMatch(name -> name.startsWith("picocli/"))
          .noneMatch(name -> name.startsWith("io/opentelemetry/"));
    }
  }
}
