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

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.flamespan.page.clickhouse.Statements;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what the command sql prints, in each form, and the queries of Grafana's dashboard. */
@Tag("other-programs")
class StatementsTest {
  /** The name of an endpoint that ends a literal and a statement if it is not escaped. */
  private static final String HOSTILE = "<script>alert(1)</script>'; DROP TABLE otel_traces; --\\";

  private static final String TRACE = HexFormat.of().formatHex(traceId(1));
  private static final String FROM = "1767225600";
  private static final String TO = "1767312000";

  @TempDir static Path shared;
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

  private static Map<String, String> chosen(String... more) {
    Map<String, String> chosen =
        new TreeMap<>(Map.of("service", "", "environment", "", "endpoint", "", "trace", ""));
    for (int i = 0; i < more.length; i += 2) {
      chosen.put(more[i], more[i + 1]);
    }
    return chosen;
  }

  private static String printed(String... arguments) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    assertThat(FlameGraphs.run(arguments, System.in, out, out)).isZero();
    return printed.toString(UTF_8);
  }

  private static List<String> run(String sql, String parameters) throws Exception {
    return run("otel", sql, parameters);
  }

  private static List<String> run(String database, String sql, String parameters) throws Exception {
    return clickHouse.sql(database + parameters, sql + " FORMAT TSVRaw");
  }

  private static List<String> byParameters(String name, Map<String, String> chosen)
      throws Exception {
    return byParameters("otel", name, chosen);
  }

  private static List<String> byParameters(String database, String name, Map<String, String> chosen)
      throws Exception {
    String trace = chosen.get("trace");
    StringBuilder parameters =
        new StringBuilder("&param_from=2026-01-01+00:00:00&param_to=2026-01-02+00:00:00");
    // A parameter is a tab-separated field, in which a backslash is escaped.
    chosen.forEach(
        (key, value) ->
            parameters.append("&param_" + key + "=" + encoded(value.replace("\\", "\\\\"))));
    parameters.append("&param_traces=" + encoded(trace.isEmpty() ? "[]" : "['" + trace + "']"));
    return run(database, printed("sql", name), parameters.toString());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  @Test
  void statements_thatArePrinted_canBeUsedByThemselves() throws Exception {
    assertThat(byParameters("flame-graph-of-endpoint", chosen("endpoint", "GET /checkout")))
        .containsExactly("main;checkout;render 20000000", "main;checkout;tax 50000000");
    assertThat(byParameters("flame-graph-of-trace", chosen("trace", TRACE)))
        .containsExactly(
            "main;checkout;render 20000000", "main;checkout;tax 40000000", "main;lock 30000000");
    assertThat(byParameters("deployments", chosen())).hasSize(4);
    assertThat(byParameters("endpoints", chosen()))
        .as("four endpoints and three reasons")
        .hasSize(7)
        .anyMatch(row -> row.startsWith("GET /checkout\tshop\t\t2\t"));
    assertThat(byParameters("endpoints", chosen("environment", "test")))
        .as("no request has an environment")
        .allMatch(row -> row.startsWith("\t"));
  }

  @Test
  void statement_withAnotherName_isRefusedWithThose() {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);

    assertThat(FlameGraphs.run(new String[] {"sql", "requests"}, System.in, out, out)).isEqualTo(2);
    assertThat(printed.toString(UTF_8)).startsWith("sql takes one of: endpoints, deployments, ");
  }

  @Test
  void statement_forAnotherTool_isRefusedWithThose() {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    String[] arguments = {"sql", "endpoints", "--for", "kibana"};

    assertThat(FlameGraphs.run(arguments, System.in, out, out)).isEqualTo(2);
    assertThat(printed.toString(UTF_8))
        .startsWith("sql takes a name, and --for grafana or --for clickstack");
  }

  @Test
  void nestedSet_ofKnownStacks_isTheirTree() throws Exception {
    assertThat(byParameters("nested-set-of-endpoint", chosen("endpoint", "GET /checkout")))
        .containsExactly(
            "0\t70000000\t0\ttotal",
            "1\t70000000\t0\tmain",
            "2\t70000000\t0\tcheckout",
            "3\t20000000\t20000000\trender",
            "3\t50000000\t50000000\ttax");
    assertThat(byParameters("nested-set-of-trace", chosen("trace", TRACE)))
        .containsExactly(
            "0\t90000000\t0\ttotal",
            "1\t90000000\t0\tmain",
            "2\t60000000\t0\tcheckout",
            "3\t20000000\t20000000\trender",
            "3\t40000000\t40000000\ttax",
            "2\t30000000\t30000000\tlock");
    assertThat(byParameters("nested-set-of-endpoint", chosen("service", "store"))).hasSize(3);
    assertThat(byParameters("nested-set-of-endpoint", chosen("service", "none"))).isEmpty();
    assertThat(byParameters("nested-set-of-trace", chosen())).isEmpty();
  }

  /** With recursion, stacks that are the beginnings of others, and empty ones. */
  @Test
  void nestedSet_ofRandomStacks_addsUp() throws Exception {
    Random random = new Random(11);
    TraceData traces = new TraceData("shop").root(1, "GET /", START, START + 200 * MS);
    ProfileData profile = new ProfileData().time(START).service("shop");
    long samples = 0;
    for (int i = 0; i < 600; i++) {
      List<String> frames = new ArrayList<>();
      for (int depth = random.nextInt(9); depth > 0; depth--) {
        frames.add(List.of("a", "b", "b.c", "a'\\").get(random.nextInt(4)));
      }
      int count = 1 + random.nextInt(5);
      samples += count;
      profile.sample(traceId(1), spanId(1), START, count, frames);
    }
    clickHouse.store("tree", traces.build(), profile.build());
    String parameters =
        "&param_from=2026-01-01+00:00:00&param_to=2026-01-02+00:00:00&param_traces=%5B%5D"
            + "&param_service=&param_environment=&param_endpoint=";

    List<String> rows =
        clickHouse.sql(
            "tree" + parameters, printed("sql", "nested-set-of-endpoint") + " FORMAT TSVRaw");

    assertThat(rows).hasSizeGreaterThan(500);
    assertThat(rows.get(0)).startsWith("0\t" + samples * 10 * MS + "\t");
    assertThat(sumOfSelf(rows)).isEqualTo(samples * 10 * MS);
  }

  /** Checks that each value is its self time and the values of its children. */
  private static long sumOfSelf(List<String> rows) {
    record Open(long value, long[] rest) {}
    Deque<Open> open = new ArrayDeque<>();
    long sum = 0;
    for (String row : rows) {
      String[] fields = row.split("\t", -1);
      int level = Integer.parseInt(fields[0]);
      long value = Long.parseLong(fields[1]);
      long self = Long.parseLong(fields[2]);
      assertThat(level).as(row).isBetween(open.isEmpty() ? 0 : 1, open.size());
      while (open.size() > level) {
        assertThat(open.pop().rest[0]).as("before " + row).isZero();
      }
      if (!open.isEmpty()) {
        open.peek().rest[0] -= value;
      }
      open.push(new Open(value, new long[] {value - self}));
      sum += self;
    }
    while (!open.isEmpty()) {
      assertThat(open.pop().rest[0]).isZero();
    }
    return sum;
  }

  @Test
  void requestsAndParts_areThoseOfThePage() throws Exception {
    assertThat(byParameters("requests-of-endpoint", chosen("endpoint", HOSTILE)))
        .singleElement()
        .asString()
        .contains(HexFormat.of().formatHex(traceId(5)), "\t2000000000\t10000000\t");
    assertThat(byParameters("requests-of-endpoint", chosen())).hasSize(5);
    assertThat(byParameters("parts-of-endpoints", chosen("service", "shop")))
        .as("name, service, requests, mean, p99, CPU time, stopped, ready, lock, sleep")
        .hasSize(3)
        .first()
        .asString()
        .startsWith("GET /checkout\tshop\t2\t150000000\t200000000\t35000000\t\\N\t\\N\t4500000\t");
    assertThat(byParameters("spans-of-trace", chosen("trace", TRACE)))
        .hasSize(3)
        .anyMatch(row -> row.contains("reserve") && row.contains("'value':'30000000'"));
    assertThat(byParameters("spans-of-trace", chosen())).isEmpty();
  }

  @Test
  void forms_ofAllStatements_giveTheSameRows() throws Exception {
    Map<String, String> chosen = chosen("service", "shop", "endpoint", HOSTILE, "trace", TRACE);
    String milliseconds =
        "&param_startDateMilliseconds=" + FROM + "000&param_endDateMilliseconds=" + TO + "000";
    for (String name : Statements.NAMES) {
      Map<String, String> ofStatement = new TreeMap<>(chosen);
      ofStatement.put("trace", name.endsWith("-of-trace") ? TRACE : "");

      List<String> rows = byParameters(name, ofStatement);

      assertThat(rows).as(name).isNotEmpty();
      assertThat(run(inGrafana(printed("sql", name, "--for", "grafana"), chosen), ""))
          .as(name + " in Grafana")
          .isEqualTo(rows);
      assertThat(
              run(inClickStack(printed("sql", name, "--for", "clickstack"), chosen), milliseconds))
          .as(name + " in ClickStack")
          .isEqualTo(rows);
    }
  }

  /** In tables that also have all rows once more, of other traces in a namespace. */
  @Test
  void services_thatDifferByTheirNamespaceAlone_areNotMixed() throws Exception {
    clickHouse.sql("otel", "CREATE DATABASE spaces");
    for (String table : List.of("otel_traces", "otel_profiles")) {
      clickHouse.sql("spaces", "CREATE TABLE " + table + " AS otel." + table);
      clickHouse.sql("spaces", "INSERT INTO " + table + " SELECT * FROM otel." + table);
      clickHouse.sql(
          "spaces",
          "INSERT INTO "
              + table
              + " SELECT * REPLACE (if(TraceId = '', '', reverse(TraceId)) AS TraceId,"
              + " mapUpdate(ResourceAttributes, map('service.namespace', 'eu')) AS ResourceAttributes)"
              + " FROM otel."
              + table);
    }
    for (String name :
        List.of("deployments", "parts-of-endpoints", "nested-set-of-endpoint", "endpoints")) {
      List<String> rows = withoutKey(byParameters(name, chosen("service", "shop")));

      assertThat(rows).as(name).hasSizeGreaterThan(1);
      for (String service : List.of("shop", "eu/shop")) {
        assertThat(withoutKey(byParameters("spaces", name, chosen("service", service))))
            .as(name + " of " + service)
            .containsExactlyElementsOf(
                rows.stream().map(row -> row.replace("\tshop\t", "\t" + service + "\t")).toList());
      }
    }
    assertThat(run("spaces", inGrafana(DashboardTest.queryOf("service"), chosen()), ""))
        .contains("shop\tshop", "eu/shop\teu/shop");
    assertThat(
            run(
                "spaces",
                inGrafana(DashboardTest.queryOf("endpoint"), chosen("service", "eu/shop")),
                ""))
        .contains("GET /checkout\tGET /checkout");
  }

  /** Without the key of an endpoint at the end, a hash of its name and service. */
  private static List<String> withoutKey(List<String> rows) {
    return rows.stream().map(row -> row.replaceFirst("\t-?[0-9]{15,}$", "")).toList();
  }

  /** Replaces macros and variables as Grafana and its data source do. */
  private static String inGrafana(String sql, Map<String, String> chosen) {
    String replaced =
        sql.replace("$__fromTime", "toDateTime(" + FROM + ")")
            .replace("$__toTime", "toDateTime(" + TO + ")")
            .replace(
                "$__timeFilter(Timestamp)",
                "Timestamp >= toDateTime(" + FROM + ") AND Timestamp <= toDateTime(" + TO + ")");
    for (Map.Entry<String, String> one : chosen.entrySet()) {
      replaced = replaced.replace("${" + one.getKey() + ":percentencode}", encoded(one.getValue()));
    }
    assertThat(replaced).doesNotContain("$__", "${");
    return replaced;
  }

  /** The same of ClickStack, whose variables without a selection are NULL. */
  private static String inClickStack(String sql, Map<String, String> chosen) {
    String replaced =
        sql.replace(
                "$__fromTime",
                "toDateTime(fromUnixTimestamp64Milli({startDateMilliseconds:Int64}))")
            .replace(
                "$__toTime", "toDateTime(fromUnixTimestamp64Milli({endDateMilliseconds:Int64}))");
    for (Map.Entry<String, String> one : chosen.entrySet()) {
      String value = one.getValue().replace("\\", "\\\\").replace("'", "\\'");
      replaced =
          replaced.replace(
              "${" + one.getKey() + ":sqlstring}", value.isEmpty() ? "NULL" : "'" + value + "'");
    }
    assertThat(replaced).doesNotContain("$__", "${");
    return replaced;
  }

  @Test
  void dashboard_queries_haveTheColumnsThatItsPanelsName() throws Exception {
    Map<String, String> chosen = chosen("service", "shop", "trace", TRACE);
    for (JsonElement one : DashboardTest.dashboard().getAsJsonArray("panels")) {
      JsonObject panel = one.getAsJsonObject();
      JsonObject target = panel.getAsJsonArray("targets").get(0).getAsJsonObject();
      if (target.has("rawSql")) {
        List<String> rows =
            clickHouse.sql(
                "otel",
                inGrafana(target.get("rawSql").getAsString(), chosen) + " FORMAT TSVWithNames");
        List<String> columns = List.of(rows.get(0).split("\t"));
        assertThat(rows).as(target.get("refId").getAsString()).hasSizeGreaterThan(1);
        assertThat(columns).containsAll(DashboardTest.columnsOf(panel));
      }
    }
  }

  @Test
  void dashboard_variables_offerAllAndWhatIsStored() throws Exception {
    for (Map.Entry<String, List<String>> one :
        Map.of(
                "service", List.of("\t(all)", "shop\tshop", "store\tstore"),
                "endpoint", List.of("\t(all)", "GET /checkout\tGET /checkout"),
                "environment", List.of("\t(all)"))
            .entrySet()) {
      String sql = inGrafana(DashboardTest.queryOf(one.getKey()), chosen());

      assertThat(run(sql, "")).as(one.getKey()).containsAll(one.getValue());
    }
    assertThat(run(inGrafana(DashboardTest.queryOf("endpoint"), chosen("service", "none")), ""))
        .containsExactly("\t(all)");
  }
}
