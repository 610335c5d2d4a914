/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.LOCAL_PARENT;
import static io.flamespan.page.TraceData.NONE;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
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

/** Compares pages from sums with pages from the exporter's tables. */
@Tag("other-programs")
class ClickHouseSumsTest {
  private static final long HOUR = 3_600_000 * MS;
  private static final int REQUESTS = 7;
  private static final String BEFORE = "Timestamp < toDateTime('2026-01-01 01:00:00', 'UTC')";
  private static final List<String> DAY = range("01T00:00", "02T00:00");
  private static final List<String> LAST_HOURS = range("01T01:00", "01T04:00");
  private static final List<String> WITHIN = range("01T01:10", "01T03:50");
  private static final Pattern VIEW =
      Pattern.compile("CREATE MATERIALIZED VIEW IF NOT EXISTS (\\w+) REFRESH .* TO (\\w+) AS\n");

  /** Rows are not too old, and rest no time. */
  private static final Map<String, String> LONG_AGO =
      Map.of("INTERVAL 30 DAY", "INTERVAL 30 YEAR", "INTERVAL 20 MINUTE", "INTERVAL 0 MINUTE");

  /** For the view that chooses an hour, as if all runs and rows were of long ago. */
  private static final Map<String, String> RESTED =
      Map.of(
          "IsTried AND Tried > now() - INTERVAL 1 HOUR",
          "0",
          "h.Tried <= now() - INTERVAL 1 DAY",
          "1",
          "h.Received <= now() - INTERVAL 20 MINUTE",
          "1");

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
    clickHouse.store("otel", messages());
    clickHouse.sql(
        "otel", "ALTER TABLE otel_traces ADD COLUMN Flags UInt32 DEFAULT " + LOCAL_PARENT);
    clickHouse.sql(
        "otel",
        "ALTER TABLE otel_profiles ADD COLUMN LocationAttributes Array(Map(LowCardinality(String), String))"
            + " DEFAULT arrayMap(name -> map('profile.frame.type', 'jvm'), FunctionNames)");
  }

  @AfterAll
  static void stop() throws Exception {
    clickHouse.close();
  }

  /** Two endpoints in three hours, one of whose requests lasts into the next; samples of none. */
  private static Message[] messages() {
    List<Message> messages = new ArrayList<>();
    TraceData traces = new TraceData("shop");
    for (int number = 1; number <= REQUESTS; number++) {
      long start = START + number * HOUR / 3 - HOUR / 16;
      long duration = number == 3 ? HOUR / 4 : number * MS;
      long end = number == 5 ? start - MS : start + duration; // that duration is unknown
      traces.root(number, "GET /" + number % 2, start, end);
      for (boolean isLast : List.of(false, true)) {
        long at = start + (isLast ? duration - MS / 2 : 0);
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
    // Its parent is in the same process, and not received, as the column Flags says.
    traces.span(
        traceId(80), spanId(80), spanId(81), LOCAL_PARENT, "inner", START + HOUR, START + HOUR);
    messages.add(traces.build());
    return messages.toArray(Message[]::new);
  }

  private static ProfileData of(String type, String unit, long at) {
    return new ProfileData().time(at).service("shop").type(type, unit);
  }

  static List<String> statements() {
    return statements("sums");
  }

  /** Those that the command sql prints. */
  static List<String> statements(String name) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    assertThat(FlameGraphs.run(new String[] {"sql", name}, System.in, out, out)).isZero();
    return List.of(printed.toString(UTF_8).split(";\n"));
  }

  /** What they create. */
  static List<String> created() {
    return Pattern.compile("CREATE .* IF NOT EXISTS (\\w+)")
        .matcher(String.join("", statements()))
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  /** Runs all, but for the views that fill the sums by the clock. */
  static void create(ClickHouse clickHouse, String database) throws Exception {
    create(clickHouse, database, LONG_AGO);
  }

  static void create(ClickHouse clickHouse, String database, Map<String, String> changes)
      throws Exception {
    for (String statement : statements()) {
      if (!VIEW.matcher(statement).find()) {
        clickHouse.sql(database, changed(statement, changes));
      }
    }
  }

  /** Runs one, and lets the engine refresh a view only when it is asked to. */
  static void createForRefresh(
      ClickHouse clickHouse, String database, String statement, Map<String, String> changes)
      throws Exception {
    clickHouse.sql(
        database,
        changed(statement, changes)
            .replaceFirst(
                "REFRESH EVERY [0-9]+ MINUTE(?: OFFSET [0-9]+ SECOND)? APPEND TO (\\w+)",
                "REFRESH EVERY 100 YEAR APPEND TO $1 EMPTY"));
  }

  private static String changed(String statement, Map<String, String> changes) {
    String changed = statement;
    for (Map.Entry<String, String> one : changes.entrySet()) {
      changed = changed.replace(one.getKey(), one.getValue());
    }
    return changed;
  }

  /** Runs the query of a view that the clock would run, and stores those of its rows that match. */
  static void fill(
      ClickHouse clickHouse, String database, String view, Map<String, String> changes, String rows)
      throws Exception {
    for (String statement : statements()) {
      Matcher head = VIEW.matcher(statement);
      if (head.find() && head.group(1).equals(view)) {
        String query = "(" + changed(statement.substring(head.end()), changes) + ")";
        String columns =
            clickHouse.sql(database, "DESCRIBE TABLE " + query).stream()
                .map(line -> line.substring(0, line.indexOf('\t')))
                .collect(Collectors.joining(", "));
        clickHouse.sql(
            database,
            "INSERT INTO "
                + head.group(2)
                + " ("
                + columns
                + ") SELECT * FROM "
                + query
                + " WHERE "
                + rows);
      }
    }
  }

  /** Chooses an hour as if all had rested for long. */
  static void choose(ClickHouse clickHouse, String database) throws Exception {
    fill(clickHouse, database, "flamespan_v1_hour_chosen", RESTED, "1 = 1");
  }

  static void fill(ClickHouse clickHouse, String database, String view) throws Exception {
    fill(clickHouse, database, view, Map.of(), "1 = 1");
  }

  static void fillHours(ClickHouse clickHouse, String database) throws Exception {
    String notSummed =
        "SELECT Hour FROM flamespan_v1_hours WHERE NOT IsSummed AND Hour < now() - 4800";
    for (int i = 0; i < 10 && !clickHouse.sql(database, notSummed).isEmpty(); i++) {
      choose(clickHouse, database);
      fill(clickHouse, database, "flamespan_v1_sums_filled");
    }
    assertThat(clickHouse.sql(database, notSummed)).isEmpty();
  }

  /** Sums up all hours and days. */
  static void fillAll(ClickHouse clickHouse) throws Exception {
    fillHours(clickHouse, "otel");
    String notSummed = "SELECT Day FROM flamespan_v1_days WHERE NOT IsSummed";
    for (int i = 0; i < 10 && !clickHouse.sql("otel", notSummed).isEmpty(); i++) {
      fill(clickHouse, "otel", "flamespan_v1_days_filled");
    }
    assertThat(clickHouse.sql("otel", notSummed)).isEmpty();
  }

  private static long summed(String unit, String view) throws Exception {
    return Long.parseLong(
        clickHouse
            .sql("otel", "SELECT uniq(" + unit + ") FROM " + view + " WHERE IsSummed")
            .get(0));
  }

  private static String[] arguments(List<String> range, String... more) {
    List<String> all = new ArrayList<>(range);
    all.addAll(List.of("--time-limit", "600"));
    all.addAll(List.of(more));
    return clickHouse.arguments("otel", all.toArray(String[]::new));
  }

  private JoinRun run(List<String> range, String... more) {
    return JoinRun.with(directory.resolve("out" + runs++), arguments(range, more));
  }

  /** What sums have, too, with the percentile, of which they have eight bits. */
  private static JsonObject comparable(JoinRun run, Map<String, Long> percentiles)
      throws Exception {
    assertThat(run.status()).as(String.join("\n", run.lines())).isZero();
    JsonObject data = run.data();
    for (String of :
        List.of("requests", "traces", "halts", "overTime", "moreThanCpu", "notRecorded")) {
      data.remove(of);
    }
    for (JsonElement one : data.getAsJsonArray("endpoints")) {
      JsonObject endpoint = one.getAsJsonObject();
      percentiles.put(endpoint.get("name").getAsString(), endpoint.remove("p99").getAsLong());
      for (String ofRequests :
          List.of(
              "slowest",
              "ofMean",
              "ofSlowest",
              "notKnown",
              "notRecorded",
              "most",
              "slow",
              "splits",
              "splitsLeftOut",
              "isBoxed",
              "box",
              "tooLarge")) {
        endpoint.remove(ofRequests);
      }
      for (JsonElement spread : endpoint.getAsJsonObject("spread").asMap().values()) {
        spread.getAsJsonObject().remove("methods");
      }
    }
    return ComparablePage.comparable(data);
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

  /** Rows that arrive late, inserts that fail, and statements that run twice lose nothing. */
  @Test
  void page_ofSums_hasTheFiguresAndGraphsOfTheTables() throws Exception {
    create(clickHouse, "otel");
    choose(clickHouse, "otel");
    fill(clickHouse, "otel", "flamespan_v1_sums_filled", Map.of(), "NOT IsStack"); // storing fails
    assertThat(summed("Hour", "flamespan_v1_hours")).isZero();
    fillHours(clickHouse, "otel");
    fill(clickHouse, "otel", "flamespan_v1_days_filled", Map.of(), "RootKey = 0"); // the same
    assertThat(summed("Day", "flamespan_v1_days")).isZero();

    insert("otel_profiles", "*", "NOT (" + BEFORE + ") LIMIT 5");
    insert(
        "otel_traces",
        "* REPLACE ('" + trace(71) + "' AS TraceId)",
        "TraceId = '" + trace(1) + "'");
    insert("otel_traces", "*", "TraceId = '" + trace(2) + "'"); // which was received twice then
    create(clickHouse, "otel");
    assertThat(run(DAY, "--sums").notes())
        .last()
        .asString()
        .contains(
            "not summed yet: 2, of which 0 are absent, the last ones 2026-01-01T00:00Z, 2026-01-01T01:00Z;");

    fillAll(clickHouse);
    assertThat(summed("Day", "flamespan_v1_days")).isOne();
    JoinRun tables = run(DAY);
    JoinRun sums = run(DAY, "--sums");
    assertEqual(sums, tables);
    assertThat(sums.data().getAsJsonArray("endpoints")).hasSize(2);
    JsonObject chart = sums.data().getAsJsonObject("overTime");
    assertThat(chart.get("width").getAsLong()).isEqualTo(HOUR / 1_000_000_000);
    assertThat(chart.getAsJsonArray("series").get(0).getAsJsonArray()).hasSize(3);
    JoinRun within = run(WITHIN, "--sums", "--service", "shop");
    assertEqual(within, run(LAST_HOURS, "--service", "shop"));
    assertThat(within.unjoined("local root not received")).isPositive();

    assertThat(answer("methods", 0))
        .anyMatch(line -> line.contains("tax"))
        .last()
        .asString()
        .startsWith("Note: these sums have whole hours");
    assertThat(answer("slow", 2)).singleElement().asString().contains("no single requests");
    clickHouse.sql("otel", "DROP TABLE flamespan_v1_sums");
    create(clickHouse, "otel");
    assertThat(summed("Hour", "flamespan_v1_hours")).isZero();
  }

  private static List<String> answer(String question, int status) {
    List<String> arguments = new ArrayList<>(List.of(question));
    arguments.addAll(List.of(arguments(DAY, "--sums")));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    assertThat(FlameGraphs.run(arguments.toArray(String[]::new), System.in, out, out))
        .isEqualTo(status);
    return printed.toString(UTF_8).lines().toList();
  }

  private static String trace(int number) {
    return HexFormat.of().formatHex(traceId(number));
  }

  private static void insert(String table, String columns, String rows) throws Exception {
    clickHouse.sql(
        "otel",
        "INSERT INTO %1$s SELECT %2$s FROM (SELECT * FROM %1$s WHERE %3$s)"
            .formatted(table, columns, rows));
  }

  @Test
  void sums_thatAreMissingOrChanged_areNamedInOneLine() throws Exception {
    for (String database : List.of("none", "other")) {
      tables(database);
    }
    create(clickHouse, "other");
    clickHouse.sql("other", "ALTER TABLE flamespan_v1_sums DROP COLUMN RootHour");
    for (String database : List.of("none", "other")) {
      List<String> arguments = new ArrayList<>(DAY);
      arguments.add("--sums");
      JoinRun run =
          JoinRun.with(
              directory.resolve(database),
              clickHouse.arguments(database, arguments.toArray(String[]::new)));
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.lines())
          .singleElement()
          .asString()
          .contains("--sums needs the tables flamespan_v1_… in the database " + database)
          .contains("sql drop-sums", "sql sums");
    }
  }

  private static void tables(String database) throws Exception {
    clickHouse.sql("otel", "CREATE DATABASE " + database);
    for (String table : List.of("otel_traces", "otel_profiles")) {
      clickHouse.sql(database, "CREATE TABLE " + table + " AS otel." + table);
    }
  }

  /** The refreshes of the engine, in tables that get the newer columns later. */
  @Test
  void views_thatTheEngineRefreshes_fillTheSums() throws Exception {
    tables("views");
    clickHouse.sql("views", "ALTER TABLE otel_traces DROP COLUMN Flags");
    clickHouse.sql("views", "ALTER TABLE otel_profiles DROP COLUMN LocationAttributes");
    for (String statement : statements()) {
      createForRefresh(clickHouse, "views", statement, LONG_AGO);
    }
    clickHouse.sql(
        "views",
        "INSERT INTO otel_traces SELECT * EXCEPT (Flags) FROM otel.otel_traces WHERE " + BEFORE);
    clickHouse.sql(
        "views",
        "INSERT INTO otel_profiles SELECT * EXCEPT (LocationAttributes) FROM otel.otel_profiles WHERE "
            + BEFORE);
    clickHouse.sql("views", "ALTER TABLE otel_traces ADD COLUMN Flags UInt32");
    clickHouse.sql(
        "views",
        "ALTER TABLE otel_profiles ADD COLUMN LocationAttributes Array(Map(LowCardinality(String), String))");
    for (String table : List.of("otel_traces", "otel_profiles")) {
      clickHouse.sql(
          "views",
          "INSERT INTO %1$s SELECT * FROM otel.%1$s WHERE NOT (%2$s)".formatted(table, BEFORE));
    }
    List<String> hours =
        clickHouse.sql("views", "SELECT Hour FROM flamespan_v1_hours WHERE NOT IsSummed");
    assertThat(hours).hasSizeBetween(3, 5);

    for (int i = 0; i < hours.size(); i++) {
      refresh("flamespan_v1_hour_chosen");
      refresh("flamespan_v1_sums_filled");
    }
    refresh("flamespan_v1_days_filled");

    assertThat(clickHouse.sql("views", "SELECT IsSummed FROM flamespan_v1_days"))
        .isNotEmpty()
        .containsOnly("1");
    JoinRun sums = JoinRun.with(directory.resolve("sums"), ofViews("--sums"));
    assertThat(sums.samplesOf("GET /1")).isPositive();
    assertEqual(sums, JoinRun.with(directory.resolve("tables"), ofViews()));
  }

  private static String[] ofViews(String... more) {
    List<String> all = new ArrayList<>(DAY);
    all.addAll(List.of("--time-limit", "600"));
    all.addAll(List.of(more));
    return clickHouse.arguments("views", all.toArray(String[]::new));
  }

  private static void refresh(String view) throws Exception {
    clickHouse.sql("views", "SYSTEM REFRESH VIEW " + view);
    clickHouse.sql("views", "SYSTEM WAIT VIEW " + view);
  }

  /** Whoever changes the statements decides whether sums that are there can still be read. */
  @Test
  void statements_thatChange_haveAnotherNumberIfTheirSumsDo() throws Exception {
    String statements =
        String.join(";", statements()).replaceAll("(?m)--.*$", "").replaceAll("\\s+", " ");

    assertThat(
            HexFormat.of()
                .formatHex(
                    MessageDigest.getInstance("SHA-256").digest(statements.getBytes(UTF_8)), 0, 4))
        .as(
            "if the page would read older sums wrongly, raise the number in the names of all tables"
                + " and views, and let drop-sums.sql drop those of before, too; then change this")
        .isEqualTo("561d9129");
    assertThat(created()).isNotEmpty().allMatch(name -> name.startsWith("flamespan_v1_"));
  }
}
