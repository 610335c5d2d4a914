/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import io.flamespan.page.clickhouse.Address;
import io.flamespan.page.clickhouse.ClickHouseResults;
import io.flamespan.page.clickhouse.Engine;
import io.flamespan.page.clickhouse.Limits;
import io.flamespan.page.clickhouse.Tables;
import io.flamespan.page.clickhouse.TimeRange;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Results;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that come late, too late, or with any time, in the tables that the sums are made of. */
@Tag("other-programs")
class ClickHouseLateRowsTest {
  private static final Instant HOUR =
      Instant.now().truncatedTo(ChronoUnit.HOURS).minus(3, ChronoUnit.HOURS);

  /** A view may choose an hour that rests, but not after a run that failed. */
  private static final Map<String, String> RESTED =
      Map.of("h.Received <= now() - INTERVAL 20 MINUTE", "1");

  private static final Message[] MESSAGES = {
    new TraceData("shop").root(1, "GET /1", START, START + MS).build(),
    new ProfileData()
        .time(START)
        .service("shop")
        .type("cpu", "nanoseconds")
        .value(traceId(1), spanId(1), MS, List.of("main", "tax"))
        .build()
  };

  @TempDir static Path shared;
  @TempDir Path directory;
  private static ClickHouse clickHouse;

  @BeforeAll
  static void start() throws Exception {
    clickHouse = new ClickHouse(shared);
    clickHouse.store("otel", MESSAGES);
  }

  @AfterAll
  static void stop() throws Exception {
    clickHouse.close();
  }

  /** Tables that have no rows, and all that makes sums of them but the clock. */
  private static void tables(String database) throws Exception {
    clickHouse.sql("otel", "CREATE DATABASE " + database);
    for (String table : List.of("otel_traces", "otel_profiles")) {
      clickHouse.sql(database, "CREATE TABLE " + table + " AS otel." + table);
    }
  }

  private static void span(String database, String time, String duration) throws Exception {
    clickHouse.sql(
        database,
        "INSERT INTO otel_traces SELECT * REPLACE (%s AS Timestamp, %s AS Duration) FROM otel.otel_traces"
            .formatted(time, duration));
  }

  private static void profiles(String database, String time, int number) throws Exception {
    clickHouse.sql(
        database,
        "INSERT INTO otel_profiles SELECT p.* REPLACE (%s AS Timestamp) FROM otel.otel_profiles AS p, numbers(%d) AS n"
            .formatted(time, number));
  }

  private static String at(Instant instant) {
    return "fromUnixTimestamp64Nano(toInt64(" + instant.toEpochMilli() + "000000))";
  }

  private static String one(String database, String query) throws Exception {
    return String.join("\n", clickHouse.sql(database, query));
  }

  private static String hour(String database) throws Exception {
    return one(
        database,
        "SELECT Counted, CountedSpans, IsSummed, Generation FROM flamespan_v1_hours WHERE Hour = toDateTime("
            + HOUR.getEpochSecond()
            + ", 'UTC')");
  }

  @Test
  void inserts_ofAnyTimeAndValue_succeedWithTheViews() throws Exception {
    tables("odd");
    ClickHouseSumsTest.create(clickHouse, "odd", Map.of());
    List<String> times =
        List.of(
            "toDateTime64('1900-01-01 00:00:00', 9)",
            "toDateTime64('1960-01-01 00:00:00', 9)",
            "toDateTime64('1970-01-01 00:00:00', 9)",
            "toDateTime64('2105-12-31 23:59:59', 9)",
            "toDateTime64('2200-01-01 00:00:00', 9)",
            "reinterpret(toInt64(-9223372036854775808), 'DateTime64(9)')",
            "reinterpret(toInt64(9223372036854775807), 'DateTime64(9)')");
    for (String time : times) {
      span("odd", time, "0");
      span("odd", time, "18446744073709551615");
      profiles("odd", time, 1);
    }
    for (String view : List.of("profiles_received", "spans_received", "stacks")) {
      assertThat(one("odd", "SELECT count() FROM flamespan_v1_" + view)).isEqualTo("0");
    }
    clickHouse.sql(
        "odd",
        "ALTER TABLE otel_profiles ADD COLUMN LocationAttributes Array(Map(LowCardinality(String), String))");
    clickHouse.sql(
        "odd",
        "INSERT INTO otel_profiles SELECT * REPLACE (now() AS Timestamp, [] AS FunctionNames, ['', '', ''] AS FileNames,"
            + " [] AS Values, CAST(map(), 'Map(LowCardinality(String), String)') AS SampleAttributes),"
            + " CAST([map('a', 'b'), map('profile.frame.type', 'jvm')], 'Array(Map(LowCardinality(String), String))')"
            + " FROM otel.otel_profiles");
    for (String duration : List.of("0", "9223372036854775807", "18446744073709551615")) {
      span("odd", "now()", duration);
    }

    assertThat(one("odd", "SELECT count() FROM otel_traces")).isEqualTo("" + (2 * 7 + 3));
    assertThat(one("odd", "SELECT count() FROM otel_profiles")).isEqualTo("" + (7 + 1));
    assertThat(one("odd", "SELECT uniq(Hour) BETWEEN 1 AND 4 FROM flamespan_v1_spans_received"))
        .isEqualTo("1");
    assertThat(one("odd", "SELECT Kinds FROM flamespan_v1_stacks")).isEqualTo("['','jvm']");
  }

  @Test
  void span_ofManyHours_isOfTheFirstTwo() throws Exception {
    tables("longer");
    ClickHouseSumsTest.create(clickHouse, "longer");
    Instant begin = HOUR.minus(20, ChronoUnit.HOURS).plusSeconds(1800);
    span("longer", at(begin), "20 * 3600 * 1000000000");
    span("longer", at(begin.minus(1, ChronoUnit.DAYS)), "1000000000");
    span("longer", at(begin.minus(2, ChronoUnit.DAYS).minusSeconds(1500)), "1000000000");

    assertThat(
            one(
                "longer",
                "SELECT groupArray(ago) FROM (SELECT intDiv("
                    + HOUR.getEpochSecond()
                    + " - toInt64(Hour), 3600) AS ago FROM flamespan_v1_hours ORDER BY ago)"))
        .isEqualTo("[19,20,44,68,69]");
  }

  @Test
  void rows_thatAreLate_neitherHideNorShrinkTheSums() throws Exception {
    tables("late");
    ClickHouseSumsTest.create(clickHouse, "late");
    span("late", at(HOUR.plusSeconds(1800)), "1000000");
    profiles("late", at(HOUR.plusSeconds(1800)), 100);
    fill(Map.of());
    assertThat(one("late", "SELECT countIf(Tried > Received) FROM flamespan_v1_hours"))
        .as("rests, as rows may not be there yet")
        .isEqualTo("0");
    ClickHouseSumsTest.fillHours(clickHouse, "late");
    assertThat(hour("late")).startsWith("100\t1\t1\t");

    try (Engine engine =
        new Engine(
            Address.of(clickHouse.url("late"), Map.of()),
            Tables.of("otel_traces", "otel_profiles"),
            new Limits(600, 0))) {
      TimeRange range = new TimeRange(HOUR, HOUR.plus(4, ChronoUnit.HOURS));
      Results before = new ClickHouseResults(engine, range, "", true);
      profiles("late", at(HOUR.plusSeconds(1801)), 1);
      assertThat(hour("late")).startsWith("100\t1\t0\t");
      assertThat(samples(new ClickHouseResults(engine, range, "", true))).isEqualTo(100);
      fill(RESTED);
      String tried = "SELECT max(Tried) FROM flamespan_v1_hours";
      String first = one("late", tried);
      fill(RESTED);
      assertThat(one("late", tried)).as("not again after a run that failed").isEqualTo(first);
      ClickHouseSumsTest.fillHours(clickHouse, "late");
      assertThat(hour("late")).startsWith("101\t1\t1\t");
      assertThat(samples(before)).as("all statements read the same").isEqualTo(100);
      assertThat(samples(new ClickHouseResults(engine, range, "", true))).isEqualTo(101);
    }
    String best = hour("late");
    clickHouse.sql("late", "ALTER TABLE otel_traces DELETE WHERE 1 SETTINGS mutations_sync = 2");
    profiles("late", at(HOUR.plusSeconds(1802)), 1);
    ClickHouseSumsTest.fillHours(clickHouse, "late");
    clickHouse.sql("late", "ALTER TABLE otel_profiles DELETE WHERE 1 SETTINGS mutations_sync = 2");
    span("late", at(HOUR.plusSeconds(1802)), "1000000");
    ClickHouseSumsTest.fillHours(clickHouse, "late");
    assertThat(hour("late")).as("the tables have lost rows since").isEqualTo(best);

    ofAWeekAndAnHour();
    deletedGenerations();
  }

  /** The samples of the graph of the only endpoint, if they agree with its figures. */
  private static long samples(Results results) {
    EndpointResult endpoint = results.endpoints(1).get(0);
    long samples = endpoint.tally().count(Measure.CPU);
    assertThat(endpoint.tree(100).tally(0).count(Measure.CPU)).isEqualTo(samples);
    return samples;
  }

  private static void fill(Map<String, String> changes) throws Exception {
    ClickHouseSumsTest.fill(clickHouse, "late", "flamespan_v1_hour_chosen", changes, "1 = 1");
  }

  private void ofAWeekAndAnHour() throws Exception {
    span("late", at(HOUR.plusSeconds(7200)), "1000000");
    profiles("late", at(HOUR.plusSeconds(7200)), 1);
    String[] arguments =
        clickHouse.arguments(
            "late",
            "--sums",
            "--from",
            HOUR.plusSeconds(7000).toString(),
            "--to",
            HOUR.plusSeconds(8000).toString(),
            "--baseline-from",
            HOUR.minus(7, ChronoUnit.DAYS).toString(),
            "--baseline-to",
            HOUR.plusSeconds(3600).toString(),
            "--time-limit",
            "600");
    JoinRun run = JoinRun.with(directory, arguments);

    assertThat(run.status()).as(String.join("\n", run.lines())).isZero();
    assertThat(run.samplesOf("GET /1")).isOne();
    assertThat(run.data().getAsJsonArray("traces")).hasSize(1);
    assertThat(run.notes())
        .hasSize(2)
        .allMatch(line -> line.startsWith("note: baseline: "))
        .last()
        .asString()
        .endsWith("sums begin at " + HOUR.toString().replace(":00:00Z", ":00Z"));

    List<String> question = new ArrayList<>(List.of("compare"));
    question.addAll(List.of(arguments));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    FlameGraphs.run(question.toArray(String[]::new), System.in, out, out);
    assertThat(printed.toString(UTF_8)).contains("\nNote: baseline: sums begin at ");
  }

  /** The statement that is in the comment. */
  private static void deletedGenerations() throws Exception {
    String statement =
        String.join("", ClickHouseSumsTest.statements())
            .lines()
            .filter(line -> line.startsWith("--   "))
            .map(line -> line.substring("--   ".length()))
            .filter(line -> !line.startsWith("clickhouse-client"))
            .collect(Collectors.joining(" "));
    assertThat(one("late", "SELECT uniq(Generation) FROM flamespan_v1_sums")).isEqualTo("4");
    clickHouse.sql(
        "late",
        statement.replace("INTERVAL 1 DAY", "INTERVAL 0 DAY") + " SETTINGS mutations_sync = 2");
    assertThat(one("late", "SELECT uniq(Generation) FROM flamespan_v1_sums"))
        .as("the one that is read, and the last")
        .isEqualTo("2");
    assertThat(hour("late")).startsWith("101\t1\t1\t");
  }

  /** While they are created one by one, and removed, by anybody in their order or by ours. */
  @Test
  void inserts_whateverIsMissingOfTheSums_succeed() throws Exception {
    tables("partial");
    rows();
    for (String statement : ClickHouseSumsTest.statements()) {
      ClickHouseSumsTest.createForRefresh(clickHouse, "partial", statement, Map.of());
      rows();
    }
    List<String> created = ClickHouseSumsTest.created();
    assertThat(clickHouse.sql("partial", "SHOW TABLES NOT LIKE '.inner%'"))
        .hasSize(2 + created.size())
        .containsAll(created);
    for (String name : created.subList(0, created.size() / 2)) {
      clickHouse.sql("partial", "DROP TABLE " + name);
      rows();
    }
    for (String statement : ClickHouseSumsTest.statements("drop-sums")) {
      clickHouse.sql("partial", statement);
      rows();
    }
    assertThat(clickHouse.sql("partial", "SHOW TABLES"))
        .containsExactly("otel_profiles", "otel_traces");
  }

  /** With our configuration of the exporter. Without it, inserts fail. */
  @Test
  void inserts_ofTheExporter_succeedWithAViewThatFails() throws Exception {
    tables("broken");
    for (String table : List.of("otel_traces", "otel_profiles")) {
      clickHouse.sql(
          "broken",
          "CREATE MATERIALIZED VIEW of_%1$s ENGINE = Memory AS SELECT throwIf(1) AS one FROM %1$s"
              .formatted(table));
    }
    clickHouse.store("broken", MESSAGES);

    assertThat(one("broken", "SELECT count() FROM otel_traces")).isEqualTo("1");
    assertThat(one("broken", "SELECT count() FROM otel_profiles")).isEqualTo("1");
    assertThatThrownBy(() -> span("broken", "now()", "1")).hasMessageContaining("throwIf");
  }

  private static void rows() throws Exception {
    profiles("partial", "now()", 1);
    span("partial", "now()", "1");
  }

  @Test
  void stacks_ofTheOldestHours_areThereAsLongAsTheirSums() throws Exception {
    tables("old");
    ClickHouseSumsTest.create(clickHouse, "old", Map.of());
    Instant oldest = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(30, ChronoUnit.DAYS);
    profiles("old", at(oldest), 1);
    profiles("old", at(oldest.minusSeconds(1)), 1);
    for (String table : List.of("flamespan_v1_profiles_received", "flamespan_v1_stacks")) {
      clickHouse.sql("old", "OPTIMIZE TABLE " + table + " FINAL");
    }

    assertThat(one("old", "SELECT count() FROM flamespan_v1_stacks")).isEqualTo("1");
    assertThat(one("old", "SELECT count() FROM flamespan_v1_profiles_received")).isEqualTo("2");
    assertThat(one("old", "SELECT toUnixTimestamp(Hour) FROM flamespan_v1_hours"))
        .isEqualTo("" + oldest.getEpochSecond());
  }
}
