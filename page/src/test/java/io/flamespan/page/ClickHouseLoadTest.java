/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
  private static final Duration ALLOWED = Duration.ofSeconds(60);
  private static final long LARGEST_PAGE = 25_000_000;

  @TempDir Path directory;

  @Test
  void page_ofManyRows_isMadeInTimeAndMemory() throws Exception {
    try (ClickHouse clickHouse = new ClickHouse(directory)) {
      clickHouse.store("otel", Example.shop(), Example.shopProfile());
      clickHouse.sql("otel", "TRUNCATE TABLE otel_traces");
      clickHouse.sql("otel", "TRUNCATE TABLE otel_profiles");
      for (String statement :
          Files.readString(Path.of("src/test/clickhouse/many-rows.sql")).split(";\n")) {
        clickHouse.sql("otel&param_samples=" + SAMPLES + "&param_spans=" + SPANS, statement);
      }
      // A server merges the parts of a table in the background, which is not a cost of the page.
      clickHouse.sql("otel", "OPTIMIZE TABLE otel_traces FINAL");
      clickHouse.sql("otel", "OPTIMIZE TABLE otel_profiles FINAL");
      Path printed = directory.resolve("printed");
      Duration cpuBefore = clickHouse.cpuTime();
      long start = System.nanoTime();
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx512m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  FlameGraphs.class.getName(),
                  "--out",
                  directory.resolve("out").toString(),
                  "--clickhouse",
                  clickHouse.url("otel"),
                  "--from",
                  "2026-01-01T00:00:00Z",
                  "--to",
                  "2026-01-02T00:00:00Z",
                  "--time-limit",
                  "600")
              .redirectErrorStream(true)
              .redirectOutput(printed.toFile())
              .start();
      int status = process.waitFor();
      Duration took = Duration.ofNanos(System.nanoTime() - start);

      String text = Files.readString(printed);
      Duration cpu = clickHouse.cpuTime().minus(cpuBefore);
      System.out.printf(
          "%d samples, %d spans: %s, of which the engine used %s of CPU time%n%s%n",
          SAMPLES, SPANS, took, cpu, text);
      assertThat(status).as(text).isZero();
      assertThat(text)
          .contains(String.format("received               %12d samples", SAMPLES))
          .contains("ok: samples and CPU time received are those on the page");
      assertThat(Files.size(directory.resolve("out/flame-graphs.html"))).isLessThan(LARGEST_PAGE);
      if (SHARE >= 1) { // for less, other work on the machine decides the time
        assertThat(took).isLessThan(ALLOWED);
      }
    }
  }
}
