/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.correlation.apps.IdleApp;
import io.otelprofiling.correlation.testing.ChildJvm;
import io.otelprofiling.correlation.testing.DoctorPatient;
import io.otelprofiling.correlation.testing.DoctorReport;
import io.otelprofiling.correlation.testing.NotInEmulation;
import io.otelprofiling.correlation.testing.PatientJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: names with blanks, line breaks or non-ASCII letters do not confuse the doctor. */
@NotInEmulation("an emulated process runs the emulator's program")
class DoctorOddNamesTest {
  private static final String LETTER = "$(printf '\\303\\244')";
  private static final String START =
      "exec \"$0\" -c 'echo ready; read line; :' -Djava.io.tmpdir=/tmp/%s \"/lib/a b\n%s.jar\"";

  @TempDir Path directory;

  private DoctorPatient start(String name) throws IOException {
    Path program = Files.copy(Path.of("/bin/sh").toRealPath(), directory.resolve(name));
    String script = String.format(START, LETTER, LETTER);
    return DoctorPatient.start(List.of("sh", "-c", script, program.toString()));
  }

  @Test
  void process_withALineBreakInItsName_isListed() throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path link = Files.createSymbolicLink(directory.resolve("a) R\nb)"), java);
    ChildJvm jvm = PatientJvm.create().java(link.toString());
    try (DoctorPatient patient = DoctorPatient.start(jvm.command(IdleApp.class))) {
      assertThat(Files.readString(Path.of("/proc", patient.pid() + "", "comm")))
          .isEqualTo("a) R\nb)\n");

      assertThat(DoctorReport.run(List.of(), List.of()).output())
          .containsPattern("(?m)^ *" + patient.pid() + " ");
    }
  }

  @Test
  void doctor_inLocaleThatCannotNamePaths_stillExamines() throws IOException {
    try (DoctorPatient patient = start("o  d")) {
      DoctorReport report =
          DoctorReport.run(
                  List.of("env", "LC_ALL=C"), List.of(Long.toString(patient.pid()), "--json"))
              .exited(2); // a shell, not a JVM
      assertThat(report.checks()).containsKey("library.mapped").doesNotContainKey("doctor.error");
    }
  }
}
