/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.ClickHouse.with;
import static io.flamespan.page.ComparablePage.comparable;
import static io.flamespan.page.ComparablePage.name;
import static io.flamespan.page.Example.INNER_SPAN;
import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.Example.STORE_SPAN;
import static io.flamespan.page.TraceData.FLAGS_UNKNOWN;
import static io.flamespan.page.TraceData.LOCAL_PARENT;
import static io.flamespan.page.TraceData.NONE;
import static io.flamespan.page.TraceData.REMOTE_PARENT;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.Message;
import io.flamespan.page.output.ServedPage;
import io.flamespan.page.serve.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

/** Compares results from ClickHouse, whose tables the exporter fills, with results from files. */
@Tag("other-programs")
class ClickHouseTest {
  private static final List<String> STACK = List.of("main", "work");

  @TempDir static Path shared;
  @TempDir Path directory;
  private static ClickHouse clickHouse;

  @BeforeAll
  static void start() throws Exception {
    clickHouse = new ClickHouse(shared);
    clickHouse.store("otel", messages());
  }

  @AfterAll
  static void stop() throws Exception {
    clickHouse.close();
  }

  /**
   * Links to local root spans and to others, all kinds of samples, samples of each reason, lines,
   * and names of others.
   */
  static Message[] messages() {
    long later = START + 2_000 * MS;
    return new Message[] {
      Example.shop(),
      Example.store(),
      new TraceData("shop")
          .root(5, "<script>alert(1)</script>'; DROP TABLE otel_traces; --\\", START, later)
          .span(traceId(6), spanId(7), spanId(8), FLAGS_UNKNOWN, "a", START, later)
          .span(traceId(6), spanId(8), spanId(7), FLAGS_UNKNOWN, "b", START, later)
          .build(),
      new ProfileData()
          .time(START)
          .service("shop")
          .lines(Map.of("main", 3, "tax", 12, "tax ", 15, "render", 20, "idle", 30, "idle ", 31))
          .sample(traceId(1), spanId(1), START, 4, List.of("main", "checkout", "tax"))
          .sample(traceId(1), spanId(INNER_SPAN), START, 2, List.of("main", "checkout", "render"))
          .sample(traceId(2), spanId(2), START, 1, List.of("main", "checkout", "tax "))
          .sample(traceId(5), spanId(5), later, 1, List.of("it's; <b>", "\\ \"quoted\""))
          .sample(traceId(6), spanId(7), START, 3, STACK)
          .sample(traceId(77), spanId(1), START, 5, STACK)
          .sample(NONE, NONE, START, 2, List.of("main", "idle"))
          .sample(NONE, NONE, START, 1, List.of("main", "idle "))
          .threadSample("pool-1-thread-2", START, 3, STACK)
          .notSampled("GET /cart/1'; --", "exec-1", START, 2, STACK)
          .notSampled("GET /cart/1'; --", "exec-2", START, 1, List.of("main"))
          .notSampled("unknown", "", START, 4, STACK)
          .build(),
      new ProfileData()
          .time(START)
          .service("store")
          .sample(traceId(1), spanId(STORE_SPAN), START + 30 * MS, 3, List.of("main", "lock"))
          .build(),
      new ProfileData()
          .time(START)
          .type("off_cpu", "nanoseconds")
          .value(traceId(1), spanId(1), 7 * MS, List.of("main", "checkout", "sleep"))
          .build(),
      new ProfileData()
          .time(START)
          .service("shop")
          .type("alloc_space", "bytes")
          .kinds(Map.of("byte[]", "class"))
          .lines(Map.of("checkout", 5))
          .value(traceId(1), spanId(INNER_SPAN), 6_000, List.of("main", "checkout", "byte[]"))
          .value(traceId(2), spanId(2), 500, List.of("main", "checkout"))
          .value(traceId(77), spanId(1), 40, STACK)
          .threadValue("pool-1-thread-3", 3_000, List.of("main", "byte[]"))
          .build(),
      new ProfileData()
          .time(START)
          .service("shop")
          .type("lock", "us")
          .value(traceId(2), spanId(2), 9_000, List.of("main", "checkout", "shop.Cache"))
          .threadValue("lock'; --", 2_000, STACK)
          .build(),
      new ProfileData()
          .time(START)
          .type("inuse_space", "bytes")
          .value(traceId(1), spanId(1), 7, STACK)
          .build()
    };
  }

  private JoinRun run(String... more) {
    return JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("otel", more));
  }

  @Test
  void tables_served_areAsOnThePage() throws Exception {
    ClickHouseArguments arguments =
        Arguments.of(clickHouse.arguments("otel")).clickHouse().orElseThrow();
    try (ServedTables served = new ServedTables(arguments)) {
      assertThat(served.read()).isTrue();
      Source.Joined joined = served.join().orElseThrow();
      byte[] data = ServedPage.data(joined.results(), joined.comparison(), joined.notes());

      assertThat(JsonParser.parseString(new String(data, UTF_8))).isEqualTo(run().data());
      assertThat(served.read()).as("a range that does not move").isFalse();
    }
  }

  @Test
  void figures_fromClickHouse_areThoseOfFilesOfTheSameRun() throws Exception {
    JoinRun files = JoinRun.of(directory, CollectorFiles.json(messages()));
    JoinRun tables = run();

    SecondJoinTest.assertSame(tables, directory.resolve("input").toString());
    for (String name : List.of("summary.json", "summary.md")) {
      assertThat(tables.output().resolve(name))
          .hasSameTextualContentAs(files.output().resolve(name));
    }
    assertThat(tables.endpoint("GET /checkout").has("lines")).isTrue();
    assertThat(comparable(tables.data())).isEqualTo(comparable(files.data()));
    assertThat(tables.unjoined("local root not received")).isEqualTo(3);
    assertThat(tables.unjoined("neither CPU nor waiting")).isEqualTo(1);
    assertThat(tables.output().resolve("profile.pb.gz")).doesNotExist();
  }

  @Test
  void requests_largestByEachMeasure_areThoseOfFiles() throws Exception {
    TraceData traces = new TraceData("shop");
    ProfileData cpu = new ProfileData().time(START).service("shop").type("cpu", "nanoseconds");
    ProfileData waits =
        new ProfileData().time(START).service("shop").type("off_cpu", "nanoseconds");
    ProfileData bytes = new ProfileData().time(START).service("shop").type("alloc", "bytes");
    ProfileData locks = new ProfileData().time(START).service("shop").type("lock", "ms");
    for (int number = 1; number <= 240; number++) {
      traces.root(number, "GET /" + number % 2, START, START + (number * 37 % 100 + 101) * MS);
      cpu.value(traceId(number), spanId(number), (number * 53 % 100 + 1) * MS, STACK);
      waits.value(traceId(number), spanId(number), (number * 71 % 100 + 1) * MS, STACK);
      bytes.value(traceId(number), spanId(number), number * 29 % 100, STACK);
      locks.value(traceId(number), spanId(number), number * 17 % 100, STACK);
    }
    Message[] messages = {traces.build(), cpu.build(), waits.build(), bytes.build(), locks.build()};
    clickHouse.store("largest", messages);

    JoinRun tables = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("largest"));
    JoinRun files = JoinRun.of(directory, CollectorFiles.json(messages));

    assertThat(comparable(tables.data())).isEqualTo(comparable(files.data()));
    assertThat(tables.endpoint("GET /1").getAsJsonArray("slowest")).hasSizeBetween(61, 99);
    assertThat(tables.data().getAsJsonObject("requests").getAsJsonArray("start")).isNotEmpty();
  }

  @Test
  void parts_ofRequestsOfOneThread_areThoseOfFiles() throws Exception {
    List<String> lock = List.of("com.acme.A.b", "java.util.concurrent.locks.ReentrantLock.lock");
    List<String> pool = List.of("com.zaxxer.hikari.Pool.get", "java.lang.Thread.join");
    List<String> socket = List.of("com.acme.A.b", "sun/nio/ch/Net.poll");
    List<String> sort = List.of("com.acme.A.b", "java.util.TimSort.sort");
    ProfileData cpu = timed("cpu", 10 * MS);
    ProfileData waits = timed("off_cpu", 50 * MS);
    ProfileData runnable = timed("runnable", 50 * MS);
    ProfileData stops = timed("jvm_stopped", 0);
    ProfileData throttled = timed("cpu_throttled", 0);
    ProfileData locks = timed("lock", 0);
    TraceData traces = new TraceData("shop");
    for (int number = 1; number <= 60; number++) {
      long start = START + number * 1_000 * MS;
      byte[] trace = traceId(number);
      byte[] span = spanId(number);
      traces.root(number, "GET /" + number % 2, start, start + (number * 17 + 200) * MS);
      if (number % 5 == 0) {
        traces.attribute("thread.cpu.time", 0.03).attribute("jvm.stopped.time", 0.001);
      }
      if (number % 7 == 0) {
        traces.attribute("thread.run_queue.time", 0.01);
      }
      for (int i = 0; i < number % 9; i++) {
        cpu.timed(trace, span, "a", start + i * 10 * MS, 10 * MS, sort);
      }
      for (int i = 0; i < number % 4; i++) {
        List<String> stack = List.of(lock, pool, socket, sort).get((number + i) % 4);
        waits.timed(trace, span, "a", start + (100 + 50 * i) * MS, 50 * MS, stack);
      }
      runnable.timed(trace, span, "a", start + 20 * MS, 50 * MS, sort);
      if (number % 6 == 0) {
        waits.timed(trace, span, "a", start, 75 * MS, socket);
        locks.timed(trace, span, "a", start, number * MS, lock);
      }
      stops.timed(NONE, NONE, "", start + 90 * MS, 20 * MS, List.of("safepoint", "Cause" + number));
      throttled.timed(NONE, NONE, "", start, number * MS, List.of("throttled"));
    }
    Message[] messages = {
      traces.build(),
      cpu.build(),
      waits.build(),
      runnable.build(),
      stops.build(),
      throttled.build(),
      locks.build()
    };
    clickHouse.store("parts", messages);

    JoinRun tables = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("parts"));
    JoinRun files = JoinRun.of(directory, CollectorFiles.json(messages));

    assertThat(tables.status()).as(String.join("\n", tables.lines())).isZero();
    assertThat(comparable(tables.data())).isEqualTo(comparable(files.data()));
    assertThat(tables.output().resolve("summary.json"))
        .hasSameTextualContentAs(files.output().resolve("summary.json"));
    assertThat(tables.endpoint("GET /1").getAsJsonObject("ofMean").getAsJsonArray("amounts"))
        .hasSizeGreaterThan(5);
  }

  /** Of several threads and spans, with waits that begin before a stop or end after the request. */
  @Test
  void parts_ofRequestsOfSeveralThreads_areThoseOfFiles() throws Exception {
    Message[] messages = ofSeveralThreads(new Random(5), "shop", 0);
    clickHouse.store("threads", messages);

    JoinRun tables = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("threads"));
    JoinRun files = JoinRun.of(directory, CollectorFiles.json(messages));

    assertThat(tables.status()).as(String.join("\n", tables.lines())).isZero();
    assertThat(tables.output().resolve("summary.json"))
        .hasSameTextualContentAs(files.output().resolve("summary.json"));
    assertThat(partsOf(tables.data())).hasSizeGreaterThan(100);
    assertThat(comparable(tables.data())).isEqualTo(comparable(files.data()));
  }

  /** Jobs that requests left behind, and samples with another clock than their requests'. */
  @Test
  void parts_ofRequestsWithLateSamples_areThoseOfFiles() throws Exception {
    List<Message> messages = new ArrayList<>();
    messages.addAll(List.of(ofSeveralThreads(new Random(6), "shop", 0)));
    messages.addAll(List.of(ofSeveralThreads(new Random(7), "moved", 30_000 * MS)));
    TraceData traces = new TraceData("shop");
    ProfileData cpu = timed("cpu", 10 * MS);
    for (int number = 501; number <= 510; number++) {
      long start = START + number * 1_000 * MS;
      traces.root(number, "POST /job", start, start + 200 * MS);
      for (int i = 0; i < number % 5; i++) {
        long at = start + (number % 2 == 0 ? 90 : 300) * MS + i * 70 * MS;
        cpu.timed(traceId(number), spanId(number), "a", at, 10 * MS, STACK);
      }
    }
    messages.addAll(List.of(traces.build(), cpu.build()));
    // Only allocation tells that the clock of this process agrees.
    TraceData other = new TraceData("other").root(600, "POST /other", START, START + 200 * MS);
    ProfileData late = timed("cpu", 10 * MS).service("other");
    late.timed(traceId(600), spanId(600), "a", START + 300 * MS, 10 * MS, STACK);
    ProfileData bytes = new ProfileData().time(START).service("other").type("alloc", "bytes");
    bytes.timed(traceId(600), spanId(600), "a", START + 50 * MS, 1_000, STACK);
    messages.addAll(List.of(other.build(), late.build(), bytes.build()));
    Message[] all = messages.toArray(Message[]::new);
    clickHouse.store("late", all);

    JoinRun tables = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("late"));

    assertThat(tables.status()).as(String.join("\n", tables.lines())).isZero();
    Map<String, String> parts = partsOf(JoinRun.of(directory, CollectorFiles.json(all)).data());
    assertThat(partsOf(tables.data())).isEqualTo(parts);
    assertThat(parts).hasSizeGreaterThan(200);
    assertThat(parts.get("GET /1 of moved ofMean")).contains("onCpu", "lock", "io");
    assertThat(parts.get("POST /other of other ofMean")).isEqualTo("[[\"notKnown\",200000000]]");
    assertThat(parts.get("POST /job of shop ofMean")).contains("onCpu");
  }

  /**
   * Random samples of up to four threads, and of waits that name none, of requests with two spans.
   * All times are whole milliseconds, so that no sum is halfway between two numbers.
   */
  private static Message[] ofSeveralThreads(Random random, String service, long clock) {
    List<List<String>> stacks =
        List.of(
            List.of("com.acme.A.b", "java.util.concurrent.locks.ReentrantLock.lock"),
            List.of("com.zaxxer.hikari.Pool.get", "java.lang.Thread.join"),
            List.of("com.acme.A.b", "java.util.concurrent.FutureTask.get"),
            List.of("com.acme.A.b", "sun/nio/ch/Net.poll"),
            List.of("com.acme.A.b", "java.util.TimSort.sort"));
    Map<String, ProfileData> kinds = new TreeMap<>();
    for (String kind : List.of("cpu", "off_cpu", "runnable", "lock", "jvm_stopped")) {
      long period = Map.of("cpu", 10 * MS, "off_cpu", 50 * MS).getOrDefault(kind, 0L);
      kinds.put(kind, timed(kind, period).service(service));
    }
    TraceData traces = new TraceData(service);
    int first = clock == 0 ? 1 : 301;
    for (int number = first; number < first + 54; number++) {
      long start = START + number * 2_000 * MS;
      int millis = 150 + random.nextInt(600);
      byte[] trace = traceId(number);
      byte[] inner = spanId(10_000 + number);
      traces.root(number, "GET /" + number % 3, start, start + millis * MS);
      if (number % 7 == 0) {
        traces.attribute("thread.cpu.time", 0.03).attribute("jvm.stopped.time", 0.001);
      }
      traces.span(trace, inner, spanId(number), LOCAL_PARENT, "b", start, start + millis / 2 * MS);
      for (int i = random.nextInt(40); i > 0; i--) {
        byte[] span = random.nextBoolean() ? inner : spanId(number);
        String thread = List.of("a", "b", "exec-3", "exec-4").get(random.nextInt(1 + number % 4));
        long time = start + clock + random.nextInt(millis) * MS;
        List<String> stack = stacks.get(random.nextInt(stacks.size()));
        switch (random.nextInt(6)) {
          case 0 -> kinds.get("off_cpu").timed(trace, span, thread, time, 50 * MS, stack);
          case 1 -> kinds.get("runnable").timed(trace, span, thread, time, 50 * MS, stack);
          case 2 -> {
            long nanos = (51 + random.nextInt(400)) * MS;
            kinds.get("off_cpu").timed(trace, span, i % 4 == 0 ? thread : "", time, nanos, stack);
          }
          case 3 -> {
            long nanos = (1 + random.nextInt(90)) * MS;
            kinds.get("lock").timed(trace, span, thread, time, nanos, stack);
          }
          default -> kinds.get("cpu").timed(trace, span, thread, time, 10 * MS, stack);
        }
      }
      long stop = start + random.nextInt(millis) * MS;
      List<String> cause = List.of("safepoint", "Cause" + number % 4);
      kinds.get("jvm_stopped").timed(NONE, NONE, "", stop, random.nextInt(60) * MS, cause);
    }
    List<Message> messages = new ArrayList<>(List.of(traces.build()));
    kinds.values().forEach(kind -> messages.add(kind.build()));
    return messages.toArray(Message[]::new);
  }

  /** The parts of endpoints, of their requests, and of spans. */
  private static Map<String, String> partsOf(JsonObject data) {
    Map<String, String> parts = new TreeMap<>();
    for (JsonElement one : data.getAsJsonArray("endpoints")) {
      JsonObject endpoint = one.getAsJsonObject();
      String name =
          endpoint.get("name").getAsString() + " of " + endpoint.get("service").getAsString();
      for (String mean : List.of("ofMean", "ofSlowest")) {
        if (endpoint.has(mean)) {
          parts.put(name + " " + mean, endpoint.getAsJsonObject(mean).get("amounts").toString());
        }
      }
      for (JsonElement request : endpoint.getAsJsonArray("slowest")) {
        JsonObject of = request.getAsJsonObject();
        parts.put(
            name + " request " + of.get("span").getAsString(),
            of.getAsJsonObject("parts").get("amounts").toString());
      }
    }
    for (JsonElement trace : data.getAsJsonArray("traces")) {
      for (JsonElement one : trace.getAsJsonObject().getAsJsonArray("spans")) {
        JsonObject span = one.getAsJsonObject();
        if (span.has("parts")) {
          parts.put("span " + span.get("id").getAsString(), span.get("parts").toString());
        }
      }
    }
    return parts;
  }

  /** A child that is exported before its parent is a request until the parent arrives. */
  @Test
  void request_whoseParentArrivesMeanwhile_isOnThePage() throws Exception {
    TraceData child =
        new TraceData("shop")
            .span(traceId(1), spanId(2), spanId(1), LOCAL_PARENT, "inner", START, START + 90 * MS);
    ProfileData cpu = timed("cpu", 10 * MS);
    cpu.timed(traceId(1), spanId(2), "a", START, 10 * MS, STACK);
    clickHouse.store("live", child.build(), cpu.build());
    TraceData parent = new TraceData("shop").root(1, "GET /", START, START + 100 * MS);

    try (CountingProxy proxy = new CountingProxy(clickHouse.port())) {
      proxy.before("FROM measured", () -> store("live", parent.build()));
      String url = clickHouse.url("live").replace(":" + clickHouse.port(), ":" + proxy.port());
      JoinRun run =
          JoinRun.with(directory.resolve("clickhouse"), ClickHouse.at(url, ClickHouse.ALL));

      assertThat(run.lines())
          .as("sums of different times")
          .anyMatch(one -> one.startsWith("FAILED"));
      assertThat(run.endpoint("inner").getAsJsonArray("slowest")).hasSize(1);
    }
  }

  private static void store(String database, Message message) {
    try {
      clickHouse.store(database, message);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** More than are in memory at once, of which requests of two endpoints share some. */
  @Test
  void holders_ofLocks_areThoseOfFiles() throws Exception {
    List<String> lock = List.of("com.acme.A.b", "ObjectMonitor::enter");
    ProfileData waits = timed("off_cpu", 50 * MS);
    ProfileData holders = timed("lock_holder", 0);
    TraceData traces = new TraceData("shop");
    for (int number = 1; number <= 30; number++) {
      long start = START + number * 1_000 * MS;
      byte[] trace = traceId(number);
      traces.root(number, "GET /" + number % 3, start, start + 300 * MS);
      traces.span(
          trace, spanId(100), spanId(number), TraceData.LOCAL_PARENT, "b", start, start + 250 * MS);
      waits.timed(trace, spanId(100), "a", start + 25 * MS, 50 * MS, lock);
      waits.timed(trace, spanId(number), "a", start + 255 * MS, 50 * MS, lock);
      HexFormat hex = HexFormat.of();
      Map<String, String> holder =
          switch (number % 4) {
            case 0 -> Map.of("lock.holder.thread.name", "exec-" + number);
            case 1 ->
                Map.of(
                    "lock.holder.trace_id",
                    "0".repeat(32),
                    "lock.holder.span_id",
                    "0".repeat(16),
                    "lock.holder.not_sampled.span.name",
                    number % 8 == 1 ? "GET /pay" : "",
                    "lock.holder.thread.name",
                    "exec-" + number);
            default ->
                Map.of(
                    "lock.holder.trace_id", hex.formatHex(traceId(number + 1)),
                    "lock.holder.span_id", hex.formatHex(spanId(number + 1)));
          };
      holders.held(trace, spanId(100), start - 5 * MS, 50 * MS, List.of("com.acme.Book"), holder);
      holders.held(trace, spanId(100), start + 240 * MS, 50 * MS, List.of("[I"), Map.of());
      holders.held(trace, spanId(number), start + 280 * MS, 50 * MS, List.of("[I"), holder);
      holders.held(trace, spanId(number), start + 310 * MS, 50 * MS, List.of("[J"), holder);
    }
    Message[] messages = {traces.build(), waits.build(), holders.build()};
    clickHouse.store("holders", messages);

    JoinRun tables = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("holders"));
    JoinRun files = JoinRun.of(directory, CollectorFiles.json(messages));

    assertThat(tables.status()).as(String.join("\n", tables.lines())).isZero();
    assertThat(comparable(tables.data())).isEqualTo(comparable(files.data()));
    assertThat(tables.endpoint("GET /0").toString())
        .contains("held by GET /1", "held by thread exec-#");
    assertThat(tables.output().resolve("summary.json"))
        .content()
        .contains("a request that is not known", "com.acme.Book", "\"nanos\":")
        .contains("a request that is not sampled: GET /pay")
        .isEqualTo(Files.readString(files.output().resolve("summary.json")));
  }

  @Test
  void traces_ofManyRequests_areFetchedOnce() throws Exception {
    TraceData shop = new TraceData("shop");
    TraceData store = new TraceData("store");
    ProfileData cpu = timed("cpu", 10 * MS);
    for (int number = 1; number <= 1_200; number++) {
      byte[] trace = traceId(number);
      shop.root(number, "GET /" + number % 60, START, START + number * MS);
      store.span(
          trace,
          spanId(5_000 + number),
          spanId(number),
          REMOTE_PARENT,
          "GET /stock",
          START,
          START + (number * 37 % 1_201) * MS);
      cpu.timed(trace, spanId(number), "a", START, 10 * MS, STACK);
    }
    clickHouse.store("fetched", shop.build(), store.build(), cpu.build());
    assertThat(clickHouse.sql("fetched", "SELECT uniqExact(TraceId), count() FROM otel_traces"))
        .containsExactly("1200\t2400");

    try (CountingProxy proxy =
        new CountingProxy(clickHouse.port(), "partsOfSpans", "isAtStep", "FROM measured")) {
      String url = clickHouse.url("fetched").replace(":" + clickHouse.port(), ":" + proxy.port());
      JoinRun tables =
          JoinRun.with(directory.resolve("clickhouse"), ClickHouse.at(url, ClickHouse.ALL));

      assertThat(tables.status()).as(String.join("\n", tables.lines())).isZero();
      assertThat(tables.data().getAsJsonArray("endpoints")).hasSize(61);
      assertThat(tables.data().getAsJsonArray("traces")).hasSize(1_200);
      assertThat(tables.endpoint("GET /stock").getAsJsonArray("slowest").get(19).toString())
          .contains("\"sentence\":\"");
      assertThat(proxy.counted("partsOfSpans")).as("1,000 traces each").isEqualTo(2);
      assertThat(proxy.counted("isAtStep")).as("all requests").isEqualTo(1);
      assertThat(proxy.counted("FROM measured")).as("what was measured of them").isEqualTo(1);
    }
  }

  /** Whose profiler says that it looks for stops, of which there were none. */
  @Test
  void parts_ofARange_areThoseOfFilesWithItsRequestsAlone() throws Exception {
    long hour = 3_600_000 * MS;
    ProfileData before = timed("off_cpu", 50 * MS);
    before.timed(traceId(1), spanId(1), "a", START, 50 * MS, List.of("A.b", "sun.nio.ch.Net.poll"));
    ProfileData cpu = timed("cpu", 10 * MS).time(START + hour);
    cpu.timed(traceId(2), spanId(2), "a", START + hour, 10 * MS, STACK);
    ProfileData stops = timed("jvm_stopped", 0).time(START + hour);
    stops.timed(NONE, NONE, "", START + hour, 0, List.of("no stop"));
    TraceData traces = new TraceData("shop").root(2, "GET /", START + hour, START + hour + 90 * MS);
    Message[] inside = {traces.build(), cpu.build(), stops.build()};
    TraceData earlier = new TraceData("shop").root(1, "GET /", START, START + 80 * MS);
    clickHouse.store("ranges", earlier.build(), before.build(), inside[0], inside[1], inside[2]);
    String[] range = {"--from", "2026-01-01T00:30:00Z", "--to", "2026-01-01T02:00:00Z"};

    JoinRun tables =
        JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("ranges", range));

    JoinRun files = JoinRun.of(directory, CollectorFiles.json(inside));
    assertThat(tables.status()).as(String.join("\n", tables.lines())).isZero();
    assertThat(tables.output().resolve("summary.json"))
        .hasSameTextualContentAs(files.output().resolve("summary.json"))
        .content()
        .contains("\"stopped\": 0", "\"onCpu\": 10000000");
    assertThat(comparable(tables.data())).isEqualTo(comparable(files.data()));
  }

  private static ProfileData timed(String type, long period) {
    return new ProfileData()
        .time(START)
        .service("shop")
        .type(type, "nanoseconds")
        .period(type, "nanoseconds", period);
  }

  /** Types and units in all combinations, with and without values. */
  @Test
  void samples_ofAnyTypeAndUnit_areOfTheKindsOfFiles() throws Exception {
    String sql = "lock'; DROP TABLE otel_profiles; --";
    List<Message> messages = new ArrayList<>();
    messages.add(Example.shop());
    int number = 0;
    for (String type :
        List.of(
            "",
            "samples",
            "cpu",
            "off_cpu",
            "perf_events",
            "alloc_space",
            "alloc",
            "allocations",
            "lock",
            "locks",
            "ALLOC",
            "Lock",
            "lock ",
            "alloc_objects",
            sql)) {
      for (String unit : List.of("", "count", "bytes", "Bytes", "kilobytes", "us", "NS", sql)) {
        ProfileData profile =
            new ProfileData().time(START).service("shop").type(type, unit).lines(Map.of("b", 7));
        if (++number % 3 == 0) {
          profile.period("", "", 0);
        }
        List<String> stack = List.of("a", type + "/" + unit, "b");
        messages.add(
            profile
                .value(traceId(1), spanId(1), 7_000 + number, stack)
                .value(traceId(3), spanId(3), 11, List.of("'b' \\ --"))
                .value(traceId(3), spanId(3), 0, List.of("'b' \\ --"))
                .sample(traceId(2), spanId(2), START, 2, stack)
                .sample(traceId(2), spanId(2), START, 0, stack)
                .value(traceId(77), spanId(1), 13, stack)
                .threadValue("'" + type + "'", 100 + number, stack)
                .threadSample("'" + unit + "'", START, 1, stack)
                .build());
      }
    }
    Message[] all = messages.toArray(Message[]::new);
    clickHouse.store("types", all);

    JoinRun tables = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("types"));

    JoinRun files = JoinRun.of(directory, CollectorFiles.json(all));
    SecondJoinTest.assertSame(tables, directory.resolve("input").toString());
    assertThat(tables.output().resolve("summary.json"))
        .hasSameTextualContentAs(files.output().resolve("summary.json"));
    assertThat(comparable(tables.data())).isEqualTo(comparable(files.data()));
  }

  @Test
  void lines_ofFramesWithoutAFunctionOrALine_areNotShown() throws Exception {
    ProfileData profile =
        new ProfileData()
            .time(START)
            .service("shop")
            .lines(Map.of("", 9, "main", 4, "negative", -5))
            .sample(traceId(1), spanId(1), START, 2, List.of("main", ""))
            .sample(traceId(1), spanId(1), START, 1, List.of("main", "negative"))
            .sample(traceId(1), spanId(1), START, 1, List.of())
            .sample(traceId(1), spanId(1), START, 3, List.of("main"));
    clickHouse.store("lines", Example.shop(), profile.build());

    JoinRun run = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("lines"));

    assertThat(run.status()).as(String.join("\n", run.lines())).isZero();
    JsonObject lines = run.endpoint("GET /checkout").getAsJsonObject("lines");
    assertThat(lines.get("line")).hasToString("[4]");
    assertThat(lines.get("cpu")).hasToString("[30000000]");
  }

  @Test
  void service_restricts_requestsAndWhatIsNotJoined() throws Exception {
    JoinRun run = run(with("--service", "store"));

    assertThat(run.data().getAsJsonArray("endpoints")).hasSize(1);
    assertThat(run.samplesOf("reserve")).isEqualTo(3);
    assertThat(run.unjoined("no Link")).isZero();
    for (String other : List.of("a\\b\t\n'", "x' OR 1=1 --")) {
      JoinRun nothing = run(with("--service", other));
      assertThat(nothing.status()).isEqualTo(2);
      assertThat(nothing.lines())
          .containsExactly(
              "no span and no samples of the service that --service names as [NAMESPACE/]NAME in this"
                  + " range; Timestamp in otel_profiles is the time at which a profile begins");
    }
  }

  @Test
  void service_inANamespace_isChosenWithIt() throws Exception {
    clickHouse.sql("otel", "CREATE DATABASE spaces");
    for (String table : List.of("otel_traces", "otel_profiles")) {
      clickHouse.sql(
          "spaces",
          "CREATE TABLE %1$s ENGINE = Memory AS SELECT * REPLACE (mapUpdate(ResourceAttributes,"
                  .formatted(table)
              + " map('service.namespace', 'eu')) AS ResourceAttributes) FROM otel."
              + table);
    }
    JoinRun expected = run(with("--service", "shop"));
    JoinRun run =
        JoinRun.with(
            directory.resolve("space"),
            clickHouse.arguments("spaces", with("--service", "eu/shop")));

    assertThat(run.status()).as(String.join("\n", run.lines())).isZero();
    assertThat(run.samplesOf("GET /checkout")).isEqualTo(expected.samplesOf("GET /checkout"));
    assertThat(run.unjoined("no Link")).isEqualTo(expected.unjoined("no Link")).isPositive();
    assertThat(
            JoinRun.with(
                    directory.resolve("none"),
                    clickHouse.arguments("spaces", with("--service", "shop")))
                .lines())
        .singleElement()
        .asString()
        .contains("of the service that --service names");
  }

  @Test
  void endpoints_beyondThePage_areSummedUpAsThoseOfFiles() throws Exception {
    TraceData traces = new TraceData("shop");
    ProfileData profile = new ProfileData().time(START).service("shop");
    for (int number = 1; number <= 230; number++) {
      traces.root(number, "GET /" + number, START, START + number * MS);
      profile.sample(traceId(number), spanId(number), START, 1 + number / 100, STACK);
    }
    Message[] many = {traces.build(), profile.build()};
    clickHouse.store("many", many);

    JoinRun tables = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("many"));

    assertThat(tables.status()).as(String.join("\n", tables.lines())).isZero();
    assertThat(comparable(tables.data()))
        .isEqualTo(comparable(JoinRun.of(directory, CollectorFiles.json(many)).data()));
  }

  @Test
  void baseline_ofAnotherTime_isCompared() throws Exception {
    JoinRun run =
        run(
            with(
                "--baseline-from",
                "2025-12-31T23:00:00Z",
                "--baseline-to",
                "2026-01-01T01:00:00Z"));

    assertThat(run.status()).as(String.join("\n", run.lines())).isZero();
    assertThat(run.data().has("comparison")).isTrue();
  }

  @Test
  void range_afterAll_hasNothingAndSaysSo() {
    JoinRun run = run("--from", "2026-02-01", "--to", "2026-02-02T00:00:00Z");

    assertThat(run.status()).isEqualTo(2);
    JoinRun after = run("--from", "2026-02-01T00:00:00", "--to", "2026-02-02T00:00:00");
    assertThat(after.status()).isEqualTo(2);
    assertThat(after.lines())
        .containsExactly(
            "no span and no samples in this range; Timestamp in otel_profiles is the time at which"
                + " a profile begins");
  }

  @Test
  void requests_thatBeganBeforeTheRange_areNoEndpoints() throws Exception {
    JoinRun run = run("--from", "2026-01-01T00:00:00.010Z", "--to", "2026-01-01T01:00:00Z");

    assertThat(run.data().getAsJsonArray("endpoints"))
        .extracting(endpoint -> endpoint.getAsJsonObject().get("name").getAsString())
        .containsExactly("reserve");
  }

  @Test
  void request_thatBeganLongBeforeTheRange_keepsItsSpans() throws Exception {
    long hours = 3 * 3_600_000 * MS;
    TraceData traces =
        new TraceData("shop")
            .root(1, "nightly job", START - hours, START + MS)
            .span(traceId(1), spanId(2), spanId(1), FLAGS_UNKNOWN, "step", START, START + MS);
    ProfileData profile = new ProfileData().time(START).service("shop");
    profile.sample(traceId(1), spanId(2), START, 2, STACK);
    clickHouse.store("long", traces.build(), profile.build());

    JoinRun run = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("long"));

    assertThat(run.data().getAsJsonArray("endpoints")).isEmpty();
    assertThat(run.unjoined("local root not received")).isEqualTo(2);
  }

  /**
   * With stacks that differ by kinds alone, and spans of which only flags tell where parents are.
   */
  @Test
  void columnsOfNewerTables_replaceWhatIsGuessed() throws Exception {
    TraceData traces =
        new TraceData("shop")
            .root(1, "GET /", START, START + 200 * MS)
            .span(traceId(1), spanId(2), spanId(1), REMOTE_PARENT, "again", START, START + 90 * MS)
            .span(traceId(1), spanId(3), spanId(2), LOCAL_PARENT, "price", START, START + 90 * MS)
            .span(traceId(2), spanId(4), spanId(9), LOCAL_PARENT, "orphan", START, START + 90 * MS)
            .span(traceId(3), spanId(5), NONE, REMOTE_PARENT, "first", START, START + 90 * MS);
    ProfileData jvm = ofKinds(Map.of("read", "native", "poll", "kernel", "byte[]", "class"));
    ProfileData native_ = ofKinds(Map.of("main", "native", "work", "native", "read", "kernel"));
    for (ProfileData profile : List.of(jvm, native_)) {
      for (int span = 1; span <= 5; span++) {
        byte[] trace = traceId(List.of(1, 1, 1, 2, 3).get(span - 1));
        profile.sample(trace, spanId(span), START, span, List.of("main", "work", "read", "poll"));
        profile.sample(trace, spanId(span), START, 1, List.of("main", "byte[]"));
        profile.sample(trace, spanId(span), START, 1, List.of("main", ""));
      }
      profile.threadSample("pool-1", START, 2, List.of("main", "work", "read"));
    }
    Message[] messages = {traces.build(), jvm.build(), native_.build()};
    clickHouse.store("columns", messages);
    JoinRun files = JoinRun.of(directory, CollectorFiles.json(messages));
    String[] arguments = clickHouse.arguments("columns");

    JoinRun without = JoinRun.with(directory.resolve("without"), arguments);

    assertThat(namesOf(without)).contains("orphan").doesNotContain("again");
    assertThat(kindsOf(without.data())).containsExactly("");

    clickHouse.sql(
        "columns",
        "ALTER TABLE otel_traces ADD COLUMN Flags UInt32"
            + " DEFAULT if(SpanName IN ('again', 'first'), 769, 257)");
    clickHouse.sql(
        "columns",
        "ALTER TABLE otel_profiles ADD COLUMN LocationAttributes"
            + " Array(Map(LowCardinality(String), String)) DEFAULT arrayMap(name ->"
            + " map('profile.frame.type', if(Period = 10000000,"
            + " transform(toString(name), ['read', 'poll', 'byte[]'],"
            + " ['native', 'kernel', 'class'], 'jvm'),"
            + " transform(toString(name), ['main', 'work', 'read'],"
            + " ['native', 'native', 'kernel'], 'jvm'))), FunctionNames)");
    JoinRun tables = JoinRun.with(directory.resolve("with"), arguments);

    assertThat(tables.status()).as(String.join("\n", tables.lines())).isZero();
    assertThat(namesOf(tables)).containsExactlyInAnyOrder("GET /", "again", "first");
    assertThat(tables.unjoined("local root not received")).isEqualTo(12);
    assertThat(kindsOf(tables.data()))
        .contains("jvm", "native", "kernel", "class")
        .isEqualTo(kindsOf(files.data()));
    assertThat(framesOf(tables.data())).isEqualTo(framesOf(files.data()));
    assertThat(comparable(tables.data())).isEqualTo(comparable(files.data()));
  }

  /** The period tells the two profiles apart. */
  private static ProfileData ofKinds(Map<String, String> kinds) {
    return new ProfileData()
        .time(START)
        .service("shop")
        .kinds(kinds)
        .period("cpu", "nanoseconds", kinds.containsKey("main") ? 20 * MS : 10 * MS);
  }

  private static List<String> namesOf(JoinRun run) throws Exception {
    List<String> names = new ArrayList<>();
    for (JsonElement endpoint : run.data().getAsJsonArray("endpoints")) {
      names.add(endpoint.getAsJsonObject().get("name").getAsString());
    }
    return names;
  }

  private static List<String> framesOf(JsonObject data) {
    return data.getAsJsonArray("frames").asList().stream().map(Object::toString).sorted().toList();
  }

  private static List<String> kindsOf(JsonObject data) {
    return data.getAsJsonArray("frames").asList().stream()
        .map(frame -> frame.getAsJsonArray().get(2).getAsString())
        .distinct()
        .sorted()
        .toList();
  }
}
