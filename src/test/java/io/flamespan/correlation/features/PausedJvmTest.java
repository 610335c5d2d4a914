/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.ManyRootsApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.NotInEmulation;
import io.flamespan.testbed.harness.OtlpReceiver;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: spans that leave together, after a pause of the JVM or at its exit, all arrive. */
@NotInEmulation("the SDK waits ten seconds for its shutdown, too short for an emulated CPU")
class PausedJvmTest {
  private static final int ROOTS = 6_000; // the SDK's queue has 2,048

  @TempDir Path socketDir;

  private Process start(OtlpReceiver receiver) throws Exception {
    ChildJvm jvm =
        new ChildJvm()
            .property("otel.exporter.otlp.endpoint", receiver.endpoint())
            .property("otel.exporter.otlp.protocol", "http/protobuf")
            .property("otel.metrics.exporter", "none")
            .property("otel.logs.exporter", "none")
            .setting("enabled", "true")
            .property(CorrelatedSdk.PREFIX + "socket.dir", socketDir.toString());
    return new ProcessBuilder(jvm.command(ManyRootsApp.class, "" + ROOTS))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static void signal(String name, Process process) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
    assertThat(kill.waitFor()).isZero();
  }

  private interface Step {
    void run(Process process) throws Exception;
  }

  private void assertLosesNoSpan(Step whileSpansWait) throws Exception {
    try (OtlpReceiver receiver = new OtlpReceiver()) {
      Process process = start(receiver);
      try (BufferedReader output = process.inputReader()) {
        assertThat(output.readLine()).isEqualTo("ended");
        whileSpansWait.run(process);
        await().until(() -> receiver.spans().size() >= ROOTS);
        assertThat(receiver.spans().stream().map(received -> received.span().getSpanId()))
            .hasSize(ROOTS)
            .doesNotHaveDuplicates();
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void jvm_stoppedForLongerThanTheDelay_losesNoSpan() throws Exception {
    assertLosesNoSpan(
        process -> {
          signal("STOP", process);
          Thread.sleep(1_500); // spans wait for a second
          signal("CONT", process);
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void jvm_endsWhileSpansWait_losesNone(boolean bySignal) throws Exception {
    assertLosesNoSpan(
        process -> {
          if (bySignal) {
            signal("TERM", process);
          } else {
            process.getOutputStream().close();
          }
          assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        });
  }
}
