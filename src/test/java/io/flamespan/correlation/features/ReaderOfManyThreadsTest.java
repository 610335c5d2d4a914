/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.TracedThreadsApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.NotInEmulation;
import io.flamespan.correlation.testing.StandIn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: whatever threads do, a profiler reads the span that each of them works for. The
 * application writes the expected span of each operating system thread to a file.
 */
@NotInEmulation("a debugger sees the emulator's thread pointer, not the emulated one")
class ReaderOfManyThreadsTest {
  private static final int TRACED_SAMPLES = Integer.getInteger("test.samples", 12_500);

  @TempDir Path directory;

  @Test
  void platformThreads_comingAndGoing_showWhatIsExpected() throws IOException {
    assertEverySampleShowsItsSpan("platform", "platform", "6");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads need Java 21")
  void carriers_ofVirtualThreads_showWhatIsExpected() throws IOException {
    assertEverySampleShowsItsSpan("virtual", "ForkJoinPool", "2000");
  }

  private void assertEverySampleShowsItsSpan(String kind, String threadName, String threads)
      throws IOException {
    StandIn standIn = new StandIn(directory);
    Path expected = directory.resolve("expected");
    ChildJvm.Result result =
        new ChildJvm()
            .under(
                standIn.command(
                    "--protocol both --rate 0 --threads on-cpu --no-stacks --no-registration"
                        + (" --thread-name " + threadName)
                        + (" --samples " + TRACED_SAMPLES)
                        + (" --duration " + 150 * Math.max(1, TRACED_SAMPLES / 12_500))
                        + (" --expected " + expected)))
            .jvmArgument(TracedThreadsApp.NATIVE_REFLECTION)
            .property("otel.traces.exporter", "none")
            .property("otel.metrics.exporter", "none")
            .property("otel.logs.exporter", "none")
            .property(CorrelatedSdk.PREFIX + "socket.dir", directory.toString())
            .run(TracedThreadsApp.class, kind, threads, "1000000000", expected.toString())
            .succeeded();
    assertThat(standIn.records()).hasSizeGreaterThanOrEqualTo(TRACED_SAMPLES);
    assertThat(standIn.records()).filteredOn(record -> !record.belongsTogether()).isEmpty();
    assertThat(standIn.relatedSamples()).isGreaterThan(TRACED_SAMPLES / 2);
    assertThat(standIn.summary("expected_other")).as(result.output()).isZero();
    assertThat(standIn.summary("otel_expected_other")).as(result.output()).isZero();
    for (String protocol : List.of("", "otel_")) {
      long expectedOnes = standIn.summary(protocol + "expected");
      assertThat(expectedOnes).isGreaterThan(1_000);
      assertThat(standIn.summary(protocol + "expected_missing"))
          .as("of %s samples of traced code", expectedOnes)
          .isLessThanOrEqualTo(expectedOnes / 100);
    }
  }
}
