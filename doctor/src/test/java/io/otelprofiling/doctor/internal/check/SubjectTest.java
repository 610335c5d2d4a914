/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

/** Promise: evidence from two programs, or from before and after a change, is not one report. */
class SubjectTest {
  @Test
  void program_thatAnotherReplaces_isNotTheSame() throws IOException {
    Process child = new ProcessBuilder("sh", "-c", "read line; exec cat").start();
    TargetProcess process = new TargetProcess((int) child.pid());
    try (Subject subject = new Subject(process, new Deadline(60_000))) {
      assertThat(subject.mappings.read()).isNotEmpty();
      assertThat(subject.isSameProgram()).isTrue();
      assertThat(subject.hasChanged()).isFalse();

      OutputStream input = child.getOutputStream();
      input.write("\n\n".getBytes(UTF_8));
      input.flush();
      assertThat(child.getInputStream().read()).isEqualTo('\n'); // cat has answered
      assertThat(subject.isSameProgram()).isFalse();
      assertThat(subject.hasChanged()).isTrue();
    } finally {
      child.destroyForcibly();
    }
  }
}
