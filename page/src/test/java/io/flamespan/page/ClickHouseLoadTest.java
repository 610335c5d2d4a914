/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program as users start it, with 512 MB of heap and tables that the exporter has created.
 * Their rows come from a statement, because a collector would take an hour to send that many.
 */
@Tag("other-programs")
class ClickHouseLoadTest {
  private static final double SHARE =
      Double.parseDouble(System.getProperty("page.test.clickhouse.share"));
  private static final long SAMPLES = (long) (20_000_000 * SHARE);
  private static final long SPANS = (long) (1_000_000 * SHARE);
  private static final long REQUESTS_OF_A_WEEK = (long) (1_500 * SHARE); // of an endpoint, by hour
  private static final long SAMPLES_OF_A_WEEK = REQUESTS_OF_A_WEEK * 40 * 168 * 105;
  private static final long NANOS = Duration.ofHours(3).toNanos();
  private static final Duration ALLOWED = Duration.ofSeconds(60);
  private static final Duration ALLOWED_OF_SUMS = Duration.ofSeconds(15);
  private static final long LARGEST_PAGE = 25_000_000;

  @TempDir Path directory;

  @Test
  void page_ofManyRowsAndOfTheirSums_isMadeInTimeAndMemory() throws Exception {
    try (ClickHouse clickHouse = new ClickHouse(directory)) {
      clickHouse.store("otel", Example.shop(), Example.shopProfile());
      clickHouse.sql("otel", "TRUNCATE TABLE otel_traces");
      clickHouse.sql("otel", "TRUNCATE TABLE otel_profiles");
      String parameters =
          "&param_samples="
              + SAMPLES
              + "&param_spans="
              + SPANS
              + "&param_step="
              + NANOS * 5 / SPANS;
      fill(clickHouse, "many-rows.sql", parameters);
      // A server merges the parts of a table in the background, which is not a cost of the page.
      clickHouse.sql("otel", "OPTIMIZE TABLE otel_traces FINAL");
      clickHouse.sql("otel", "OPTIMIZE TABLE otel_profiles FINAL");

      JoinRun rows = page(clickHouse, SAMPLES, "02", ALLOWED);
      ClickHouseSumsTest.create(clickHouse, "otel");
      ClickHouseSumsTest.fillAll(clickHouse);
      JoinRun sums = page(clickHouse, SAMPLES, "02", ALLOWED_OF_SUMS, "--sums");

      ClickHouseSumsTest.assertEqual(sums, rows);
    }
  }

  @Test
  void page_ofAWeekOfSums_isMadeInTimeAndMemory() throws Exception {
    try (ClickHouse clickHouse = new ClickHouse(directory)) {
      clickHouse.store("otel", Example.shop(), Example.shopProfile());
      ClickHouseSumsTest.create(clickHouse, "otel");
      for (String table : List.of("profiles_received", "spans_received")) {
        clickHouse.sql("otel", "TRUNCATE TABLE flamespan_v1_" + table);
      }
      fill(clickHouse, "week-of-sums.sql", "&param_requests=" + REQUESTS_OF_A_WEEK);
      clickHouse.sql("otel", "OPTIMIZE TABLE flamespan_v1_sums FINAL");

      page(clickHouse, SAMPLES_OF_A_WEEK, "08", ALLOWED_OF_SUMS, "--sums");
    }
  }

  private static void fill(ClickHouse clickHouse, String file, String parameters) throws Exception {
    for (String statement : Files.readString(Path.of("src/test/clickhouse", file)).split(";\n")) {
      clickHouse.sql("otel" + parameters, statement);
    }
  }

  /** Makes the page of the first days of the year with 512 MB of heap. */
  private JoinRun page(
      ClickHouse clickHouse, long samples, String end, Duration allowed, String... more)
      throws Exception {
    Path out = directory.resolve("out" + more.length);
    Path printed = directory.resolve("printed");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                FlameGraphs.class.getName(),
                "--out",
                out.toString(),
                "--clickhouse",
                clickHouse.url("otel"),
                "--from",
                "2026-01-01T00:00:00Z",
                "--to",
                "2026-01-" + end + "T00:00:00Z",
                "--time-limit",
                "600"));
    command.addAll(List.of(more));
    Duration cpuBefore = clickHouse.cpuTime();
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    int status = process.waitFor();
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    String text = Files.readString(printed);
    Duration cpu = clickHouse.cpuTime().minus(cpuBefore);
    System.out.printf(
        "%d samples: %s, of which the engine used %s of CPU time%n%s%n", samples, took, cpu, text);
    assertThat(status).as(text).isZero();
    assertThat(text)
        .contains(String.format("received               %12d samples", samples))
        .contains("ok: samples and CPU time received are those on the page");
    JoinRun run = new JoinRun(status, text.lines().toList(), out);
    assertThat(Files.size(run.page())).isLessThan(LARGEST_PAGE);
    if (SHARE >= 1) { // for less, other work on the machine decides the time
      assertThat(took).isLessThan(allowed);
    }
    return run;
  }
}
