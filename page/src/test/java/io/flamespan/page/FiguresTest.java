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
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first screen of the page, and the summary files. */
class FiguresTest {
  private static final List<String> STACK = List.of("main", "work");

  @TempDir Path directory;

  @Test
  void cpuTime_overTime_isThatOfEachEndpointAndOfNoRequest() throws IOException {
    byte[] traces =
        CollectorFiles.json(
            new TraceData("shop")
                .root(1, "GET /checkout", START, START + 4_000 * MS)
                .root(3, "GET /search", START, START + 50 * MS)
                .build());
    byte[] profiles =
        CollectorFiles.json(
            new ProfileData()
                .sample(traceId(1), spanId(1), START, 2, STACK)
                .sample(traceId(1), spanId(1), START + 3_000 * MS, 1, STACK)
                .sample(traceId(3), spanId(3), START, 1, STACK)
                .sample(traceId(77), spanId(77), START, 1, STACK)
                .sample(NONE, NONE, START + 1_000 * MS, 4, STACK)
                .build());

    JsonObject overTime =
        JoinRun.of(directory, traces, profiles).data().getAsJsonObject("overTime");

    assertThat(overTime)
        .isEqualTo(
            JsonParser.parseString(
                "{'start': "
                    + START / 1_000 / MS
                    + ", 'width': 1, 'series': ["
                    + "[20000000, 0, 0, 10000000], [10000000, 0, 0, 0], "
                    + "[10000000, 0, 0, 0], [0, 40000000, 0, 0]], 'outside': 0}"));
  }

  /** Of eight endpoints, the last by CPU time waits the most. */
  @Test
  void waits_overTime_areOfTheEndpointsThatWaitTheMost() throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData cpu = new ProfileData();
    ProfileData waits = new ProfileData().type("off_cpu", "nanoseconds").time(START + 1_000 * MS);
    for (int number = 1; number <= 8; number++) {
      traces.root(number, "GET /" + number, START, START + 2_000 * MS);
      cpu.sample(traceId(number), spanId(number), START, 9 - number, STACK);
      waits.value(traceId(number), spanId(number), number * MS, STACK);
    }
    cpu.sample(NONE, NONE, START + 1_000 * MS, 1, STACK);
    waits.value(NONE, NONE, 70 * MS, STACK);

    JsonObject overTime =
        JoinRun.of(
                directory,
                CollectorFiles.json(traces.build(), cpu.build()),
                CollectorFiles.json(waits.build()))
            .data()
            .getAsJsonObject("overTime");

    JsonObject waiting = overTime.getAsJsonObject("waiting");
    assertThat(waiting.get("endpoints").toString()).isEqualTo("[7,6,5,4,3,2,1]");
    assertThat(waiting.getAsJsonArray("series").get(0).toString()).isEqualTo("[0,8000000]");
    assertThat(waiting.getAsJsonArray("series").get(7).toString())
        .as("the first by CPU time is one of the others")
        .isEqualTo("[0,1000000]");
    assertThat(waiting.getAsJsonArray("series").get(8).toString()).isEqualTo("[0,70000000]");
    assertThat(overTime.getAsJsonArray("series").get(0).toString()).isEqualTo("[80000000,0]");
  }

  @Test
  void samples_withoutATime_areNotOnTheTimeChart() throws IOException {
    byte[] profiles =
        CollectorFiles.json(
            new ProfileData()
                .sample(traceId(1), spanId(1), START, 1, STACK)
                .sample(traceId(1), spanId(1), Long.MAX_VALUE - 1, 1, STACK)
                .build(),
            new ProfileData()
                .type("cpu", "nanoseconds")
                .value(traceId(3), spanId(3), 25 * MS, STACK)
                .build());

    JoinRun run = JoinRun.of(directory, CollectorFiles.json(Example.shop()), profiles);

    assertThat(run.status()).isZero();
    assertThat(run.data().getAsJsonObject("overTime").get("width").getAsInt()).isEqualTo(1);
    assertThat(run.data().getAsJsonObject("overTime").getAsJsonArray("series").get(1).toString())
        .isEqualTo("[10000000]");
  }

  @Test
  void threads_withoutRequest_areGroupedByTheirNamesWithoutNumbers() throws IOException {
    ProfileData profile = new ProfileData();
    profile.threadSample("GC Thread#0", START, 2, STACK);
    profile.threadSample("GC Thread#1", START, 1, STACK);
    profile.threadSample("VM Thread", START, 1, STACK);
    profile.threadSample("", START, 1, STACK);

    JsonObject data =
        JoinRun.of(
                directory,
                CollectorFiles.json(Example.shop()),
                CollectorFiles.json(profile.build()))
            .data();

    assertThat(data.getAsJsonArray("threads"))
        .extracting(
            thread -> thread.getAsJsonObject().get("name").getAsString(),
            thread -> thread.getAsJsonObject().getAsJsonObject("tally").get("samples").getAsLong())
        .containsExactly(tuple("GC", 3L), tuple("(no name)", 1L), tuple("VM Thread", 1L));
  }

  @Test
  void threads_thatOnlyWait_followTheOthers() throws IOException {
    ProfileData waits =
        new ProfileData()
            .type("off_cpu", "nanoseconds")
            .threadValue("idle", 2 * MS, STACK)
            .threadValue("idle too", 3 * MS, STACK);

    JsonObject data =
        JoinRun.of(
                directory,
                CollectorFiles.json(Example.shop()),
                CollectorFiles.json(
                    new ProfileData().threadSample("GC", START, 1, STACK).build(), waits.build()))
            .data();

    assertThat(data.getAsJsonArray("threads"))
        .extracting(thread -> thread.getAsJsonObject().get("name").getAsString())
        .containsExactly("GC", "idle too", "idle");
  }

  @Test
  void endpoints_moreThanThePageHolds_includeTheLargestOfEachKind() throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData cpu = new ProfileData();
    for (int number = 1; number <= 230; number++) {
      traces.root(number, "GET /" + number, START, START + 2_000 * MS);
      cpu.sample(traceId(number), spanId(number), START, 1, STACK);
    }
    traces.root(231, "GET /hog", START, START + MS);
    ProfileData allocation =
        new ProfileData().type("alloc_space", "bytes").value(traceId(231), spanId(231), 7, STACK);

    JoinRun run =
        JoinRun.of(
            directory,
            CollectorFiles.json(traces.build()),
            CollectorFiles.json(cpu.build(), allocation.build()));

    assertThat(run.status()).isZero();
    assertThat(run.data().getAsJsonArray("endpoints")).hasSize(200);
    assertThat(run.endpoint("GET /hog").getAsJsonObject("tally").get("allocated").getAsLong())
        .isEqualTo(7);
    assertThat(run.data().getAsJsonObject("overTime").toString()).contains("\"endpoints\":[198,");
  }

  /** Those with details are listed at their endpoint, and not there again. */
  @Test
  void requests_withoutDetails_haveTheirIdsAndFigures() throws IOException {
    TraceData traces = new TraceData("shop");
    for (int number = 1; number <= 22; number++) {
      traces.root(number, "GET /", START + number * MS, START + (100 - number) * MS);
    }
    ProfileData profile = new ProfileData();
    for (int number = 1; number <= 20; number++) {
      profile.sample(traceId(number), spanId(number), START, 4, STACK);
    }
    profile.sample(traceId(22), spanId(22), START, 3, STACK);

    JsonObject requests =
        JoinRun.of(
                directory,
                CollectorFiles.json(traces.build()),
                CollectorFiles.json(profile.build()))
            .data()
            .getAsJsonObject("requests");

    assertThat(requests)
        .hasToString(
            "{\"endpoint\":[0,0],\"start\":["
                + (START / MS + 21)
                + ","
                + (START / MS + 22)
                + "],\"duration\":[58000000,56000000],\"cpu\":[0,30000000],"
                + "\"notKnown\":[58000000,26000000],\"trace\":\"000000000000feed0000000000000015000000000000feed0000000000000016\","
                + "\"span\":\"00000000000000150000000000000016\",\"leftOut\":0}");
  }

  @Test
  void requests_withTheMostCpuTimeOrWaiting_haveDetailsThoughTheyAreFast() throws IOException {
    TraceData traces = new TraceData("shop");
    for (int number = 1; number <= 30; number++) {
      traces.root(number, "GET /", START, START + (100 - number) * MS);
    }
    ProfileData cpu = new ProfileData().sample(traceId(28), spanId(28), START, 3, STACK);
    ProfileData waits =
        new ProfileData().type("off_cpu", "nanoseconds").value(traceId(29), spanId(29), MS, STACK);

    JoinRun run =
        JoinRun.of(
            directory,
            CollectorFiles.json(traces.build()),
            CollectorFiles.json(cpu.build()),
            CollectorFiles.json(waits.build()));

    List<JsonElement> detailed = run.endpoint("GET /").getAsJsonArray("slowest").asList();
    assertThat(detailed)
        .hasSize(22)
        .extracting(request -> request.getAsJsonObject().get("span").getAsString())
        .endsWith("0000000000000014", "000000000000001c", "000000000000001d");
    assertThat(detailed)
        .allSatisfy(
            request -> {
              int trace = request.getAsJsonObject().get("trace").getAsInt();
              JsonObject of = run.data().getAsJsonArray("traces").get(trace).getAsJsonObject();
              assertThat(of.get("id").getAsString())
                  .endsWith(request.getAsJsonObject().get("span").getAsString());
            });
    JsonObject others = run.data().getAsJsonObject("requests");
    assertThat(others.getAsJsonArray("endpoint")).hasSize(8);
    assertThat(others.get("leftOut").getAsInt()).isZero();
  }

  @Test
  void summaryFiles_ofTheExample_haveTheFiguresOfThePage() throws IOException {
    JoinRun run = example();

    JsonObject summary =
        JsonParser.parseString(Files.readString(run.output().resolve("summary.json")))
            .getAsJsonObject();
    assertThat(summary.getAsJsonObject("received").get("samples").getAsLong()).isEqualTo(12);
    assertThat(summary.getAsJsonObject("notOnThePage").getAsJsonObject("no Link").get("cpuNanos"))
        .isEqualTo(new JsonPrimitive(2 * ProfileData.PERIOD_NANOS));
    assertThat(summary.getAsJsonArray("endpoints"))
        .extracting(
            endpoint -> endpoint.getAsJsonObject().get("name").getAsString(),
            endpoint -> endpoint.getAsJsonObject().get("cpuNanos").getAsLong())
        .containsExactly(
            tuple("GET /checkout", 70 * MS), tuple("reserve", 30 * MS), tuple("GET /search", 0L));
    assertThat(Files.readAllLines(run.output().resolve("summary.md")))
        .contains(
            "| GET /checkout | shop | 2 | 150.0 | 200.0 | 0.070 | 58.3 % | 0.000 |",
            "| received | 0.120 | 0.000 |", "| no Link | 0.020 | 0.000 |");
  }

  @Test
  void summaryMarkdown_ofNamesWithMarkup_staysATable() throws IOException {
    byte[] traces =
        CollectorFiles.json(
            new TraceData("sh|op").root(1, "<img>\n| *a* `b` [c](d)", START, START).build());

    JoinRun run = JoinRun.of(directory, traces, profile(1, 1));

    assertThat(Files.readAllLines(run.output().resolve("summary.md")).get(2))
        .isEqualTo(
            "| \\<img\\> \\| \\*a\\* \\`b\\` \\[c\\](d) | sh\\|op | 1 | 0.0 | 0.0 | 0.010 | 100.0 %"
                + " | 0.000 |");
  }

  @Test
  void notKnown_ofAnEndpoint_isOfTheSumsOfItsRequests() throws IOException {
    byte[] traces =
        CollectorFiles.json(
            new TraceData("shop")
                .root(1, "GET /", START, START + 10 * MS)
                .root(2, "GET /", START, START + 30 * MS)
                .build());
    byte[] profiles =
        CollectorFiles.json(
            new ProfileData().sample(traceId(1), spanId(1), START, 4, STACK).build());

    assertThat(
            JoinRun.of(directory, traces, profiles).endpoint("GET /").get("notKnown").getAsLong())
        .isEqualTo(20 * MS);
  }

  private JoinRun example() throws IOException {
    return JoinRun.of(
        directory,
        CollectorFiles.json(Example.shopProfile(), Example.storeProfile()),
        CollectorFiles.json(Example.store(), Example.shop()));
  }

  private static byte[] profile(long trace, long span) {
    return CollectorFiles.json(
        new ProfileData().sample(traceId(trace), spanId(span), START, 1, STACK).build());
  }
}
