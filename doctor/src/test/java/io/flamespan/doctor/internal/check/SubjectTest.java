/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.doctor.internal.proc.Deadline;
import io.flamespan.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Promise: evidence from two programs, or from before and after a change, is not one report, and a
 * process that ends meanwhile has none.
 */
class SubjectTest {
  @Test
  void program_thatAnotherReplaces_isNotTheSame() throws IOException {
    Process child = new ProcessBuilder("sh", "-c", "echo; read line; exec cat").start();
    assertThat(child.getInputStream().read()).isEqualTo('\n'); // it has started
    TargetProcess process = new TargetProcess((int) child.pid());
    try (Subject subject = new Subject(process, new Deadline(60_000))) {
      assertThat(subject.mappings.read()).isNotEmpty();
      assertThat(subject.hasChanged()).isFalse();

      OutputStream input = child.getOutputStream();
      input.write("\n\n".getBytes(UTF_8));
      input.flush();
      assertThat(child.getInputStream().read()).isEqualTo('\n'); // cat has answered
      assertThat(subject.hasChanged()).isTrue();
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void process_thatEndsBetweenTwoReadings_hasNoReport() throws IOException {
    Process child = new ProcessBuilder("cat").start();
    TargetProcess process = new TargetProcess((int) child.pid());
    Check<?> first = Check.check("socket.path", subject -> Evidence.of("/read/before"));
    Check<?> second =
        Check.check(
            "storage.set",
            subject -> {
              child.destroyForcibly().onExit().join();
              return subject.settled(() -> Evidence.of(subject.memory.read().word(1)));
            });

    assertThat(Checks.examine(process, new Deadline(60_000), List.of(first, second)).obstacle)
        .isEqualTo("The process ended during the examination.");
    assertThat(Checks.examine(process, new Deadline(60_000), Checks.ALL).obstacle)
        .contains("ended");
    assertThat(process.obstacle()).isNotEmpty();
  }

  @Test
  void data_brokenInAStoppedProcess_isUnknown() throws Exception {
    Process child = new ProcessBuilder("cat").start();
    TargetProcess process = new TargetProcess((int) child.pid());
    try (Subject subject = new Subject(process, new Deadline(100))) {
      assertThat(subject.settled(() -> Evidence.broken("half of it")).isBroken()).isTrue();

      assertThat(new ProcessBuilder("kill", "-STOP", child.pid() + "").start().waitFor()).isZero();
      while (process.halt().isEmpty()) {
        Thread.sleep(1);
      }
      assertThat(subject.settled(() -> Evidence.broken("half of it")).isUnread()).isTrue();
    } finally {
      child.destroyForcibly();
    }
  }
}
