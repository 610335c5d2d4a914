/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.DoctorReport;
import io.flamespan.correlation.testing.NotInEmulation;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Promise: the watch mode prints what each thread shows, until the process ends. */
@NotInEmulation("the doctor would see the emulator, not the process in it")
class DoctorWatchTest {
  private static final String SUMMARY =
      "[0-9:]{8}  .* threads found, .*, 1 show a trace now, .* messages(/s)?";

  @Test
  void watch_untilProcessEnds_printsTracesAndMessages() throws Exception {
    try (DoctorPatient patient = PatientJvm.start()) {
      Process watch = watch(patient.pid());
      List<String> lines = new ArrayList<>();
      try (BufferedReader out = watch.inputReader()) {
        for (int summaries = 0; summaries < 2; ) {
          String line = out.readLine();
          assertThat(line).as("after %s", lines).isNotNull();
          lines.add(line);
          summaries += line.matches(SUMMARY) ? 1 : 0;
        }
        patient.handle().destroyForcibly();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
          lines.add(line);
        }
      }

      assertThat(watch.waitFor()).as("%s", lines).isZero();
      assertThat(lines.get(0)).matches(" +\\d+ \\S+ +trace [0-9a-f]{32} span [0-9a-f]{16} .*");
      assertThat(lines).last().isEqualTo("Process " + patient.pid() + " has ended.");
    }
  }

  @Test
  void watch_whoseReaderHasGone_ends() throws Exception {
    try (DoctorPatient patient = PatientJvm.start()) {
      Process watch = watch(patient.pid());
      try (BufferedReader out = watch.inputReader()) {
        assertThat(out.readLine()).isNotNull();
      }

      assertThat(watch.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(watch.exitValue()).isZero();
    }
  }

  /** A JVM with options of the environment starts another one, which does the work. */
  @Test
  void watch_inASecondJvm_endsWithTheFirst() throws Exception {
    try (DoctorPatient patient = PatientJvm.start()) {
      ProcessBuilder command = command(patient.pid());
      command.environment().put("JAVA_TOOL_OPTIONS", "-Dunused=true");
      Process watch = command.start();
      try (BufferedReader out = watch.inputReader()) {
        assertThat(out.lines().anyMatch(line -> line.matches(SUMMARY))).isTrue();
        ProcessHandle second = watch.children().findFirst().orElseThrow();
        watch.destroy();

        second.onExit().get(1, TimeUnit.MINUTES);
      }
    }
  }

  private static Process watch(long pid) throws IOException {
    return command(pid).start();
  }

  private static ProcessBuilder command(long pid) {
    String java = System.getProperty("java.home") + "/bin/java";
    return new ProcessBuilder(java, "-jar", DoctorReport.jar(), Long.toString(pid), "--watch")
        .redirectErrorStream(true);
  }
}
