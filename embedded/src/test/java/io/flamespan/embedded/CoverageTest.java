/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.log.Trouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoverageTest {
  private static final long PERIOD = 50_000_000;
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  @TempDir private Path process;
  private final long warningsBefore = Trouble.last() == null ? 0 : Trouble.last().count();
  private Coverage coverage;
  private long minutes;

  @BeforeEach
  void begin() throws IOException {
    write("stat", "1 (a name) of) S 1 2 3 4 5 6 7 8 9 10 500 100 0 0 20");
    write("status", "Threads:\t10\nSigQ:\t12/96364\n");
    write("limits", "Max open files            8                    1048576              files\n");
    Files.createDirectory(process.resolve("fd"));
    coverage = new Coverage(new ProcessFiles(process), PERIOD, 0);
  }

  private long warnings() {
    return (Trouble.last() == null ? 0 : Trouble.last().count()) - warningsBefore;
  }

  private void assertOneWarning(String... parts) {
    assertThat(warnings()).isEqualTo(1);
    assertThat(Trouble.last().message()).contains(parts);
  }

  private void write(String file, String content) throws IOException {
    Files.writeString(process.resolve(file), content);
  }

  /** A minute with 4,000 ms of CPU time more than the one before. */
  private void minute(long samples, String engine) throws IOException {
    minutes++;
    write("stat", "1 (a) S 1 2 3 4 5 6 7 8 9 10 " + (500 + 400 * minutes) + " 100 0 0 20");
    coverage.add(samples);
    coverage.lookIfDue(minutes * MINUTE, engine);
  }

  @Test
  void samples_ofMostOfTheTime_areNoTrouble() throws Exception {
    minute(70, "ctimer");

    assertThat(coverage.cpuMillis()).isEqualTo(4_000);
    assertThat(coverage.sampledMillis()).isEqualTo(3_500);
    assertThat(warnings()).isZero();
  }

  @Test
  void look_withinAMinute_comparesNothing() {
    coverage.lookIfDue(MINUTE - 1, "ctimer");

    assertThat(coverage.cpuMillis()).isZero();
  }

  @Test
  void pendingSignals_usedUp_areNamedOnce() throws Exception {
    write("status", "Threads:\t10\nSigQ:\t96364/96364\n");
    minute(10, "ctimer");
    minute(10, "ctimer");

    assertOneWarning("stand for 500 of 4000 ms", "96364 pending signals", "ulimit -i");
    assertThat(coverage.sampledMillis()).isEqualTo(1_000);
  }

  @Test
  void files_usedUp_areNamed() throws Exception {
    for (int i = 0; i < 8; i++) {
      Files.createFile(process.resolve("fd").resolve("" + i));
    }
    minute(10, "perf_events");

    assertOneWarning("8 of the 8 files");
  }

  @Test
  void samples_missingForNoKnownReason_areSaid() throws Exception {
    minute(10, "ctimer");

    assertOneWarning("no limit");
  }

  @Test
  void process_thatUsesLittleTime_needsNoSamples() throws Exception {
    write("stat", "1 (a) S 1 2 3 4 5 6 7 8 9 10 600 100 0 0 20");
    coverage.lookIfDue(MINUTE, "ctimer");

    assertThat(coverage.cpuMillis()).isEqualTo(1_000);
    assertThat(warnings()).isZero();
  }

  @Test
  void cpuTime_unreadableForAMinute_isComparedInTheNextOne() throws Exception {
    minutes++;
    Files.delete(process.resolve("stat"));
    coverage.add(70);
    coverage.lookIfDue(minutes * MINUTE, "ctimer");
    assertThat(coverage.cpuMillis()).isZero();

    minute(70, "ctimer");
    assertThat(coverage.cpuMillis()).isEqualTo(8_000);
    assertThat(coverage.sampledMillis()).isEqualTo(7_000);
    assertThat(warnings()).isZero();
  }

  @Test
  void cpuTime_unreadableAtTheStart_isComparedFromTheFirstOneOn() throws Exception {
    Files.delete(process.resolve("stat"));
    coverage = new Coverage(new ProcessFiles(process), PERIOD, 0);
    minute(0, "ctimer");
    assertThat(coverage.cpuMillis()).isZero();

    minute(70, "ctimer");
    assertThat(coverage.cpuMillis()).isEqualTo(4_000);
    assertThat(warnings()).isZero();
  }

  @Test
  void files_ofThisProcess_areUnderstood() throws Exception {
    ProcessFiles own = new ProcessFiles(Path.of("/proc/self"));

    assertThat(own.cpuMillis()).isPositive();
    assertThat(own.threads()).isPositive();
    assertThat(own.pendingSignals()).isLessThanOrEqualTo(own.maxPendingSignals());
    assertThat(own.openFiles()).isBetween(1L, own.maxOpenFiles());
  }
}
