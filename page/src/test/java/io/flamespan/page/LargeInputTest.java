/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as users start it, with 1 GB of heap. System properties set the size. */
@Tag("large")
class LargeInputTest {
  private static final int SAMPLES = Integer.getInteger("page.test.samples");
  private static final int SPANS = Integer.getInteger("page.test.spans");
  private static final int STACKS = Integer.getInteger("page.test.stacks");
  private static final int MANY = 1_000_000;
  private static final Duration ALLOWED = Duration.ofSeconds(20);
  private static final long LARGEST_PAGE = 30_000_000;

  @TempDir Path directory;

  @Test
  void million_ofSamples_isJoinedInTimeAndMemory() throws Exception {
    LargeInput.traces(directory.resolve("traces.json"), SPANS);
    LargeInput.profiles(directory.resolve("profiles.json"), SAMPLES, 1_000, SPANS);

    assertJoined(run("-Xmx1g"), "", ALLOWED);
  }

  @Test
  void stacks_allDistinct_areJoinedInTimeAndMemory() throws Exception {
    LargeInput.traces(directory.resolve("traces.json"), SPANS);
    LargeInput.profiles(directory.resolve("profiles.json"), STACKS, STACKS, SPANS);

    assertJoined(run("-Xmx1g"), "", ALLOWED.multipliedBy(3));
  }

  @Test
  void stacks_moreThanTheHeapHasRoomFor_loseTheirInnermostFrames() throws Exception {
    LargeInput.traces(directory.resolve("traces.json"), 1_000);
    LargeInput.profiles(directory.resolve("profiles.json"), 40_000, 40_000, 1_000);

    assertJoined(run("-Xmx96m"), "too many distinct stacks", ALLOWED);
  }

  @Test
  void heap_thatIsTooSmall_isNamed() throws Exception {
    LargeInput.traces(directory.resolve("traces.json"), 40_000);
    LargeInput.profiles(directory.resolve("profiles.json"), 1_000, 1_000, 1_000);

    Finished finished = run("-Xmx16m");

    assertThat(finished.status()).isEqualTo(2);
    assertThat(finished.printed()).contains("a heap of 16 MB is too small", "-Xmx", "--clickhouse");
    assertThat(finished.printed()).doesNotContain("OutOfMemoryError");
  }

  private record Finished(int status, String printed, Duration took) {}

  private Finished run(String heap) throws IOException, InterruptedException {
    Path printed = directory.resolve("printed");
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-cp",
                System.getProperty("java.class.path"),
                FlameGraphs.class.getName(),
                "--out",
                directory.resolve("out").toString(),
                directory.resolve("traces.json").toString(),
                directory.resolve("profiles.json").toString())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    int status = process.waitFor();
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    System.out.println(heap + " " + took + "\n" + Files.readString(printed));
    return new Finished(status, Files.readString(printed), took);
  }

  private void assertJoined(Finished finished, String told, Duration allowed) throws IOException {
    assertThat(finished.status()).as(finished.printed()).isZero();
    assertThat(finished.printed())
        .contains(told)
        .contains("ok: samples and CPU time received are those on the page");
    if (SAMPLES >= MANY) { // for less, other work on the machine decides the time
      assertThat(finished.took()).isLessThan(allowed);
    }
    assertThat(Files.size(directory.resolve("out/flame-graphs.html"))).isLessThan(LARGEST_PAGE);
  }
}
