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

import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares pages from the sums by hour with pages from the exporter's tables. */
@Tag("other-programs")
class ClickHouseSumsTest {
  private static final long HOUR = 3_600_000 * MS;
  private static final int HOURS = 3;
  private static final String[] RANGE = {
    "--from", "2026-01-01T00:00:00Z", "--to", "2026-01-01T03:00:00Z", "--time-limit", "600"
  };
  private static final String VIEW =
      "CREATE MATERIALIZED VIEW IF NOT EXISTS flamespan_sums_filled REFRESH EVERY 1 MINUTE APPEND"
          + " TO flamespan_sums AS\n";

  @TempDir static Path shared;
  @TempDir Path directory;
  private static ClickHouse clickHouse;

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

  /** Runs all, but for the view that fills the sums by the clock; rows are not too old. */
  private static void create(String database) throws Exception {
    for (String statement : statements()) {
      if (!statement.contains(VIEW)) {
        clickHouse.sql(database, statement.replace("INTERVAL 30 DAY", "INTERVAL 100 YEAR"));
      }
    }
  }

  /**
   * Sums up the last hour that is not summed, as the view does, or those of its rows that match.
   */
  private static void fill(String database, String rows) throws Exception {
    String view = statements().stream().filter(one -> one.contains(VIEW)).findFirst().orElseThrow();
    String hour = view.substring(view.indexOf(VIEW) + VIEW.length());
    clickHouse.sql(
        database, "INSERT INTO flamespan_sums SELECT * FROM (" + hour + ") WHERE " + rows);
  }

  private static void fillAll(String database) throws Exception {
    String open = "SELECT Hour FROM flamespan_hours WHERE NOT IsSummed";
    for (int i = 0; i < 10 && !clickHouse.sql(database, open).isEmpty(); i++) {
      fill(database, "1 = 1");
    }
    assertThat(clickHouse.sql(database, open)).isEmpty();
  }

  private JoinRun run(String database, String... more) {
    List<String> range = new ArrayList<>(List.of(RANGE));
    range.addAll(List.of(more));
    return JoinRun.with(
        directory.resolve(database + more.length),
        clickHouse.arguments(database, range.toArray(String[]::new)));
  }

  /** What sums have, too. */
  private static JsonObject comparable(JoinRun run) throws Exception {
    assertThat(run.status()).as(String.join("\n", run.lines())).isZero();
    JsonObject data = run.data();
    for (String of :
        List.of("requests", "traces", "halts", "overTime", "moreThanCpu", "notRecorded")) {
      data.remove(of);
    }
    for (var endpoint : data.getAsJsonArray("endpoints")) {
      for (String of : List.of("slowest", "ofMean", "ofSlowest", "notKnown", "notRecorded")) {
        endpoint.getAsJsonObject().remove(of);
      }
    }
    return ClickHouseTest.comparable(data);
  }

  /** A failed run, rows that arrive late, and statements that are run twice, change nothing. */
  @Test
  void page_ofSums_hasTheFiguresAndGraphsOfTheTables() throws Exception {
    clickHouse.store("hours", messages());
    assertThat(clickHouse.sql("hours", "SELECT count(), uniq(TraceId) FROM otel_profiles"))
        .as("stored")
        .containsExactly("108\t19");
    create("hours");
    fill("hours", "NOT IsStack"); // as if storing had failed
    assertThat(clickHouse.sql("hours", "SELECT count() FROM flamespan_hours WHERE IsSummed"))
        .containsExactly("0");
    fillAll("hours");
    clickHouse.store(
        "hours",
        new TraceData("shop").root(90, "GET /late", START + 20 * MS, START + 30 * MS).build(),
        of("cpu", "nanoseconds", START + HOUR)
            .value(traceId(3), spanId(3), MS, List.of("main", "late"))
            .build());
    create("hours");

    assertThat(run("hours", "--sums").notes())
        .singleElement()
        .asString()
        .contains("the spans of 2 hours are not summed yet", "2026-01-01T01:00Z");

    fillAll("hours");
    JoinRun sums = run("hours", "--sums");
    assertThat(sums.notes()).isEmpty();
    assertThat(comparable(sums)).isEqualTo(comparable(run("hours")));
    assertThat(sums.data().getAsJsonArray("endpoints")).hasSize(3);
    JsonObject chart = sums.data().getAsJsonObject("overTime");
    assertThat(chart.get("width").getAsLong()).isEqualTo(3_600);
    assertThat(chart.getAsJsonArray("series").get(0).getAsJsonArray()).hasSize(HOURS);
    compareAnHour();
  }

  private void compareAnHour() throws Exception {
    String[] hour = {
      "--from", "2026-01-01T01:00:00Z", "--to", "2026-01-01T02:00:00Z", "--service", "shop"
    };
    String[] within = {
      "--from",
      "2026-01-01T01:10:00Z",
      "--to",
      "2026-01-01T01:50:00Z",
      "--service",
      "shop",
      "--sums"
    };

    JoinRun tables = JoinRun.with(directory.resolve("tables"), clickHouse.arguments("hours", hour));
    JoinRun sums = JoinRun.with(directory.resolve("sums"), clickHouse.arguments("hours", within));

    assertThat(comparable(sums)).isEqualTo(comparable(tables));
    assertThat(sums.unjoined("local root not received")).isPositive();
  }

  @Test
  void statements_thatCreateSums_areNamedAndTakenByTheEngine() throws Exception {
    clickHouse.store("view", new TraceData("shop").root(1, "GET /", START, START + MS).build());
    JoinRun run = run("view", "--sums");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.lines()).singleElement().asString().contains("--sums needs", "sql sums");
    create("view");
    String view = statements().stream().filter(one -> one.contains(VIEW)).findFirst().orElseThrow();

    clickHouse.sql(
        "view",
        view.replace("EVERY 1 MINUTE", "EVERY 10 YEAR").replace("_sums AS", "_sums EMPTY AS"));

    assertThat(clickHouse.sql("view", "SHOW CREATE TABLE flamespan_sums_filled").get(0))
        .contains("REFRESH EVERY 10 YEAR");
  }
}
