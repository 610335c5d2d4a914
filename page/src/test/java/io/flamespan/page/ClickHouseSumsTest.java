/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.NONE;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares pages from the sums by hour with pages from the exporter's tables. */
@Tag("other-programs")
class ClickHouseSumsTest {
  private static final long HOUR = 3_600_000 * MS;
  private static final List<String> DAY = range("01T00:00", "02T00:00");
  private static final List<String> LAST_HOURS = range("01T01:00", "01T04:00");
  private static final List<String> WITHIN = range("01T01:10", "01T03:50");
  private static final List<String> AN_HOUR = range("01T01:00", "01T02:00");
  private static final Pattern VIEW =
      Pattern.compile("CREATE MATERIALIZED VIEW IF NOT EXISTS (\\w+) REFRESH .* AS\n");

  @TempDir static Path shared;
  @TempDir Path directory;
  private static ClickHouse clickHouse;
  private int runs;

  private static List<String> range(String from, String to) {
    return List.of("--from", "2026-01-" + from + ":00Z", "--to", "2026-01-" + to + ":00Z");
  }

  @BeforeAll
  static void start() throws Exception {
    clickHouse = new ClickHouse(shared);
  }

  @AfterAll
  static void stop() throws Exception {
    clickHouse.close();
  }

  /** Two endpoints in each hour, one of whose requests lasts into the next; and samples of none. */
  private static Message[] messages() {
    List<Message> messages = new ArrayList<>();
    TraceData traces = new TraceData("shop");
    for (int number = 1; number <= 9; number++) {
      long start = START + number * HOUR / 3 - HOUR / 16;
      long duration = number == 3 ? HOUR / 4 : number * MS;
      traces.root(number, "GET /" + number % 2, start, start + duration);
      for (boolean isLate : List.of(false, true)) {
        long at = start + (isLate ? duration - MS / 2 : 0);
        messages.add(
            of("cpu", "nanoseconds", at)
                .lines(Map.of("tax", 7))
                .value(traceId(number), spanId(number), number * MS, List.of("main", "tax"))
                .value(traceId(number), spanId(number), MS, List.of("main", "tax", "x" + number))
                .value(traceId(70 + number), spanId(number), 5 * MS, List.of("main"))
                .value(NONE, NONE, 3 * MS, List.of("main", "idle"))
                .threadValue("pool-1-thread-" + number, 2 * MS, List.of("main", "job"))
                .build());
        messages.add(
            of("alloc", "bytes", at)
                .value(traceId(number), spanId(number), 100, List.of("main", "new"))
                .build());
      }
    }
    messages.add(traces.build());
    return messages.toArray(Message[]::new);
  }

  private static ProfileData of(String type, String unit, long at) {
    return new ProfileData().time(at).service("shop").type(type, unit);
  }

  private static List<String> statements() {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    assertThat(FlameGraphs.run(new String[] {"sql", "sums"}, System.in, out, out)).isZero();
    return List.of(printed.toString(UTF_8).split(";\n"));
  }

  /** Runs all, but for the views that fill the sums by the clock; rows are not too old. */
  static void create(ClickHouse clickHouse, String database) throws Exception {
    for (String statement : statements()) {
      if (!VIEW.matcher(statement).find()) {
        clickHouse.sql(database, statement.replace("INTERVAL 30 DAY", "INTERVAL 100 YEAR"));
      }
    }
  }

  /** Runs the query of a view that the clock would run, and stores those of its rows that match. */
  private static void fill(ClickHouse clickHouse, String database, String view, String rows)
      throws Exception {
    for (String statement : statements()) {
      Matcher head = VIEW.matcher(statement);
      if (head.find() && head.group(1).equals(view)) {
        String query = "(" + statement.substring(head.end()) + ")";
        String columns =
            clickHouse.sql(database, "DESCRIBE TABLE " + query).stream()
                .map(line -> line.substring(0, line.indexOf('\t')))
                .collect(Collectors.joining(", "));
        clickHouse.sql(
            database,
            "INSERT INTO flamespan_sums ("
                + columns
                + ") SELECT * FROM "
                + query
                + " WHERE "
                + rows);
      }
    }
  }

  /** Sums up all hours. */
  private static void fillHours(ClickHouse clickHouse, String database) throws Exception {
    String open = "SELECT Hour FROM flamespan_hours WHERE NOT IsSummed";
    for (int i = 0; i < 10 && !clickHouse.sql(database, open).isEmpty(); i++) {
      fill(clickHouse, database, "flamespan_sums_filled", "1 = 1");
    }
    assertThat(clickHouse.sql(database, open)).isEmpty();
  }

  /** Sums up all hours and days. */
  static void fillAll(ClickHouse clickHouse, String database) throws Exception {
    fillHours(clickHouse, database);
    String open = "SELECT Day FROM flamespan_days WHERE NOT IsSummed";
    for (int i = 0; i < 10 && !clickHouse.sql(database, open).isEmpty(); i++) {
      fill(clickHouse, database, "flamespan_days_filled", "1 = 1");
    }
    assertThat(clickHouse.sql(database, open)).isEmpty();
  }

  private JoinRun run(String database, List<String> range, String... more) {
    List<String> all = new ArrayList<>(range);
    all.addAll(List.of("--time-limit", "600"));
    all.addAll(List.of(more));
    return JoinRun.with(
        directory.resolve(database + runs++),
        clickHouse.arguments(database, all.toArray(String[]::new)));
  }

  /** What sums have, too, with the percentile, of which they have eight bits. */
  static JsonObject comparable(JoinRun run, Map<String, Long> percentiles) throws Exception {
    assertThat(run.status()).as(String.join("\n", run.lines())).isZero();
    JsonObject data = run.data();
    for (String of :
        List.of("requests", "traces", "halts", "overTime", "moreThanCpu", "notRecorded")) {
      data.remove(of);
    }
    for (var one : data.getAsJsonArray("endpoints")) {
      JsonObject endpoint = one.getAsJsonObject();
      for (String of : List.of("slowest", "ofMean", "ofSlowest", "notKnown", "notRecorded")) {
        endpoint.remove(of);
      }
      percentiles.put(endpoint.get("name").getAsString(), endpoint.remove("p99").getAsLong());
    }
    return ClickHouseTest.comparable(data);
  }

  static void assertEqual(JoinRun sums, JoinRun tables) throws Exception {
    Map<String, Long> ofSums = new TreeMap<>();
    Map<String, Long> ofTables = new TreeMap<>();
    assertThat(comparable(sums, ofSums)).isEqualTo(comparable(tables, ofTables));
    assertThat(ofSums.keySet()).isEqualTo(ofTables.keySet());
    ofSums.forEach(
        (name, nanos) -> assertThat(nanos).isCloseTo(ofTables.get(name), withinPercentage(0.2)));
    assertThat(sums.notes()).singleElement().asString().contains("no single requests");
  }

  /** A failed run, rows that arrive late, and statements that are run twice, change nothing. */
  @Test
  void page_ofSums_hasTheFiguresAndGraphsOfTheTables() throws Exception {
    clickHouse.store("hours", messages());
    assertThat(clickHouse.sql("hours", "SELECT count(), uniq(TraceId) FROM otel_profiles"))
        .as("stored")
        .containsExactly("108\t19");
    create(clickHouse, "hours");
    fill(clickHouse, "hours", "flamespan_sums_filled", "NOT IsStack"); // as if storing had failed
    assertThat(clickHouse.sql("hours", "SELECT count() FROM flamespan_hours WHERE IsSummed"))
        .containsExactly("0");
    fillHours(clickHouse, "hours");
    fill(clickHouse, "hours", "flamespan_days_filled", "RootKey = 0"); // the same
    assertThat(clickHouse.sql("hours", "SELECT count() FROM flamespan_days WHERE IsSummed"))
        .containsExactly("0");
    JoinRun early = run("hours", DAY);
    assertEqual(run("hours", DAY, "--sums"), early);
    fillAll(clickHouse, "hours");
    assertEqual(run("hours", DAY, "--sums"), early);
    clickHouse.store(
        "hours",
        new TraceData("shop").root(90, "GET /late", START + 20 * MS, START + 30 * MS).build(),
        of("cpu", "nanoseconds", START + HOUR)
            .value(traceId(3), spanId(3), MS, List.of("main", "late"))
            .build());
    create(clickHouse, "hours");

    assertThat(run("hours", DAY, "--sums").notes())
        .last()
        .asString()
        .contains("the spans of 2 hours are not summed yet", "2026-01-01T01:00Z");

    fillHours(clickHouse, "hours");
    JoinRun late = run("hours", DAY);
    assertEqual(run("hours", DAY, "--sums"), late);
    fillAll(clickHouse, "hours");
    assertThat(clickHouse.sql("hours", "SELECT count() FROM flamespan_days WHERE IsSummed"))
        .containsExactly("1");
    JoinRun sums = run("hours", DAY, "--sums");
    assertEqual(sums, late);
    assertThat(sums.data().getAsJsonArray("endpoints")).hasSize(3);
    JsonObject chart = sums.data().getAsJsonObject("overTime");
    assertThat(chart.get("width").getAsLong()).isEqualTo(3_600);
    assertThat(chart.getAsJsonArray("series").get(0).getAsJsonArray()).hasSize(3);
    JoinRun service = run("hours", WITHIN, "--sums", "--service", "shop");
    assertEqual(service, run("hours", LAST_HOURS, "--service", "shop"));
    assertThat(service.unjoined("local root not received")).isPositive();
    assertThat(run("hours", AN_HOUR, "--sums").data().getAsJsonArray("traces")).isNotEmpty();
  }

  @Test
  void statements_thatCreateSums_areNamedAndTakenByTheEngine() throws Exception {
    clickHouse.store("view", new TraceData("shop").root(1, "GET /", START, START + MS).build());
    JoinRun run = run("view", DAY, "--sums");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.lines()).singleElement().asString().contains("--sums needs", "sql sums");
    create(clickHouse, "view");

    for (String statement : statements()) {
      Matcher head = VIEW.matcher(statement);
      if (head.find()) {
        String name = head.group(1);
        clickHouse.sql(
            "view",
            statement
                .replace("EVERY 1 MINUTE", "EVERY 10 YEAR")
                .replace("TO flamespan_sums AS", "TO flamespan_sums EMPTY AS"));

        assertThat(clickHouse.sql("view", "SHOW CREATE TABLE " + name).get(0))
            .contains("REFRESH EVERY 10 YEAR");
      }
    }
  }
}
