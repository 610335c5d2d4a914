/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.ClickHouse.ALL;
import static io.flamespan.page.ClickHouse.at;
import static io.flamespan.page.ClickHouse.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that others have set up: their tables, names, users, settings and limits. */
@Tag("other-programs")
class ClickHouseServerTest {
  @TempDir static Path shared;
  @TempDir Path directory;
  private static ClickHouse clickHouse;

  @BeforeAll
  static void start() throws Exception {
    clickHouse = new ClickHouse(shared);
    clickHouse.store("otel", ClickHouseTest.messages());
  }

  @AfterAll
  static void stop() throws Exception {
    clickHouse.close();
  }

  private JoinRun run(String... more) {
    return JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("otel", more));
  }

  @Test
  void input_thatIsWrong_givesOneLineAndStatus2() throws Exception {
    clickHouse.sql("default", "CREATE DATABASE other");
    clickHouse.sql("other", "CREATE TABLE otel_traces (TraceId String) ENGINE = Memory");
    clickHouse.sql("other", "CREATE TABLE otel_profiles (TraceId String) ENGINE = Memory");
    String address = "127.0.0.1:" + clickHouse.port();
    Map<String[], String> expected =
        Map.of(
            clickHouse.arguments("default"),
            "the tables otel_traces and otel_profiles have to be in",
            clickHouse.arguments("missing"),
            "the tables otel_traces and otel_profiles have to be in",
            clickHouse.arguments("other"),
            "the tables have to come from the collector's clickhouse exporter",
            new String[] {"--clickhouse", "http://x:secret@" + address, "--from", "-1h"},
            "user x may not log in",
            new String[] {"--clickhouse", "http://x:secret@127.0.0.1:1/", "--from", "-1h"},
            "does not answer like its HTTP interface",
            new String[] {"--clickhouse", "tcp://x:secret@" + address, "--from", "-1h"},
            "--clickhouse is not the URL of ClickHouse's HTTP interface",
            new String[] {"--clickhouse", "http://x:secret@a b", "--from", "-1h"},
            "is not a URL",
            clickHouse.arguments("otel", "--from", "yesterday"),
            "--from is yesterday: it has to be a time",
            clickHouse.arguments("otel", "--from", "-1h", "--time-limit", "0"),
            "--time-limit is 0");
    expected.forEach(
        (arguments, line) -> {
          JoinRun run = JoinRun.with(directory.resolve("out"), arguments);
          assertThat(run.status()).isEqualTo(2);
          assertThat(run.lines()).hasSize(1);
          assertThat(run.lines().get(0)).contains(line).doesNotContain("secret", "p@ss", "p%40ss");
        });
  }

  @ParameterizedTest
  @CsvSource({
    "1, a query needs more memory than the server or --memory-limit allows",
    "-5, --memory-limit is -5: it has to be a number of megabytes"
  })
  void query_beyondItsMemoryLimit_endsInOneLine(String limit, String line) {
    JoinRun run =
        JoinRun.with(
            directory.resolve("out"), clickHouse.arguments("otel", with("--memory-limit", limit)));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.lines()).singleElement().asString().contains(line);
  }

  @Test
  void query_beyondItsTimeLimit_endsInOneLine() throws Exception {
    clickHouse.sql("default", "CREATE DATABASE slow");
    clickHouse.sql("slow", "CREATE TABLE otel_profiles AS otel.otel_profiles");
    clickHouse.sql(
        "slow",
        "CREATE VIEW otel_traces AS SELECT * FROM otel.otel_traces"
            + " WHERE (SELECT sum(sipHash64(number)) FROM numbers(100000000000)) != 0");

    JoinRun run =
        JoinRun.with(
            directory.resolve("out"),
            clickHouse.arguments("slow", "--from", "2026-01-01T00:00:00Z", "--time-limit", "1"));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.lines()).hasSize(1);
    assertThat(run.lines().get(0)).contains("more than the time limit of 1 s", "--time-limit");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "readonly = 1",
        "join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias ="
            + " 1",
        "max_rows_to_group_by = 1000, group_by_overflow_mode = 'any', limit = 1",
        "max_threads = 1, readonly = 1"
      })
  void settings_ofOtherUsers_changeNothing(String settings) throws Exception {
    JoinRun expected = run();

    JoinRun run =
        JoinRun.with(directory.resolve("settings"), at(clickHouse.url("otel", settings), ALL));

    assertThat(run.status()).as(String.join("\n", run.lines())).isZero();
    assertThat(run.output().resolve("summary.json"))
        .hasSameTextualContentAs(expected.output().resolve("summary.json"));
    assertThat(run.notes()).hasSize(settings.contains("readonly") ? 1 : 0);
  }

  @Test
  void settings_thatMakeAQueryIncomplete_endInOneLine() {
    String few = "max_rows_to_group_by = 1, group_by_overflow_mode = 'any'";

    JoinRun run = JoinRun.with(directory.resolve("out"), at(clickHouse.url("otel", few), ALL));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.lines()).singleElement().asString().contains("exceeds a limit of the server");
  }

  @Test
  void user_whoMayNotChangeASettingThatMatters_isToldSo() {
    String nulls = "join_use_nulls = 1, readonly = 1";

    JoinRun run = JoinRun.with(directory.resolve("out"), at(clickHouse.url("otel", nulls), ALL));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.lines()).singleElement().asString().contains("is read-only", "join_use_nulls");
  }

  @Test
  void views_withOtherNames_areReadAsTables() throws Exception {
    clickHouse.sql("default", "CREATE DATABASE named");
    for (String table : List.of("traces", "profiles")) {
      clickHouse.sql("named", "CREATE VIEW `my-" + table + "` AS SELECT * FROM otel.otel_" + table);
    }

    JoinRun run =
        JoinRun.with(
            directory.resolve("views"),
            clickHouse.arguments(
                "default",
                with(
                    "--traces-table", "named.my-traces", "--profiles-table", "named.my-profiles")));

    assertThat(run.status()).as(String.join("\n", run.lines())).isZero();
    assertThat(run.output().resolve("summary.json"))
        .hasSameTextualContentAs(run().output().resolve("summary.json"));
  }
}
