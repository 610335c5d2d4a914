/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: what is called likely is what the process has, and not what was replaced. */
class HintsTest {
  @TempDir Path directory;

  @Test
  void switch_inVariablesOfTheJvm_isSeen() throws IOException {
    ProcessBuilder command = new ProcessBuilder("cat");
    for (String name : new String[] {"_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"}) {
      command.environment().put(name, "-Dotel.sdk.disabled=true -Xmx1g");
      Process child = command.start();
      try {
        assertThat(Hints.switches(new TargetProcess((int) child.pid())))
            .isEqualTo("-Dotel.sdk.disabled=true");
      } finally {
        child.destroyForcibly();
        command.environment().remove(name);
      }
    }
  }

  @Test
  void mount_thatHidesAnother_counts() throws IOException {
    String hide = "mount -t tmpfs -o noexec a /tmp && echo && read line && mount -t tmpfs b /tmp";
    Process child = new ProcessBuilder("unshare", "-m", "sh", "-c", hide + "; cat").start();
    try {
      assumeTrue(child.getInputStream().read() == '\n', "needs root and unshare to mount");
      TargetProcess process = new TargetProcess((int) child.pid());
      assertThat(Hints.noexec(process)).isEqualTo("/tmp");

      child.getOutputStream().write("\nx".getBytes(UTF_8));
      child.getOutputStream().flush();
      assertThat(child.getInputStream().read()).isEqualTo('x'); // both are mounted
      assertThat(Hints.noexec(process)).isEmpty();
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void jar_thatWasDeleted_isSeenAmongTheOpenFiles() throws Exception {
    Path jar = Files.createFile(directory.resolve("otel-profiling-correlation-1.0.jar"));
    String hold = "exec 3< '" + jar + "' && rm '" + jar + "' && echo && cat";
    Process child = new ProcessBuilder("sh", "-c", hold).start();
    try {
      assertThat(child.getInputStream().read()).isEqualTo('\n');
      assertThat(Hints.jars(new TargetProcess((int) child.pid()))).contains(jar + " (deleted)");
    } finally {
      child.descendants().forEach(ProcessHandle::destroyForcibly);
      child.destroyForcibly();
    }
  }
}
