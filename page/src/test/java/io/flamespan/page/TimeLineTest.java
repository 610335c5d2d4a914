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
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the duration of a request consists of, of inputs of which the truth is known. */
class TimeLineTest {
  private static final long PERIOD = 50 * MS;
  private static final String OWN = "com.acme.OrderBook.reserve";
  private static final List<String> LOCK =
      List.of("main", OWN, "java.util.concurrent.locks.ReentrantLock.lock");
  private static final List<String> FUTURE =
      List.of("main", OWN, "java.util.concurrent.FutureTask.get");
  private static final List<String> SOCKET = List.of("main", OWN, "sun.nio.ch.Net.poll");
  private static final List<String> SORT =
      List.of("main", "com.acme.Report.total", "java.util.TimSort.sort");

  @TempDir Path directory;

  private final TraceData traces = new TraceData("shop");
  private final ProfileData cpu = kind("cpu", 10 * MS);
  private final ProfileData waits = kind("off_cpu", PERIOD);
  private final ProfileData runnable = kind("runnable", PERIOD);
  private final ProfileData stops = kind("jvm_stopped", 0);
  private final ProfileData throttled = kind("cpu_throttled", 0);
  private final ProfileData locks = kind("lock", 0);

  private static ProfileData kind(String type, long period) {
    return new ProfileData()
        .service("shop")
        .type(type, "nanoseconds")
        .period(type, "nanoseconds", period);
  }

  private void request(long number, long millis) {
    traces.root(number, "GET /order", START, START + millis * MS);
  }

  private static void sample(
      ProfileData kind, long request, String thread, long millis, long nanos, List<String> stack) {
    kind.timed(traceId(request), spanId(request), thread, START + millis * MS, nanos, stack);
  }

  /** One sample in each period from a time to another, at the middle of the period. */
  private static void each(
      ProfileData kind, String thread, long from, long to, long period, List<String> stack) {
    for (long at = from; at < to; at += period) {
      sample(kind, 1, thread, at + period / 2, period * MS, stack);
    }
  }

  private void stop(long millis, long nanos, String cause) {
    stops.timed(NONE, NONE, "", START + millis * MS, nanos, List.of("garbage collection", cause));
  }

  private JoinRun run() throws IOException {
    List<Message> messages = new ArrayList<>(List.of(traces.build()));
    for (ProfileData kind : List.of(cpu, waits, runnable, stops, throttled, locks)) {
      messages.add(kind.build());
    }
    JoinRun run = JoinRun.of(directory, CollectorFiles.json(messages.toArray(new Message[0])));
    assertThat(run.status()).as(String.join("\n", run.lines())).isZero();
    return run;
  }

  private static Map<String, Long> parts(JsonObject of) {
    return parts(of.getAsJsonArray("amounts"));
  }

  private static Map<String, Long> parts(JsonArray amounts) {
    Map<String, Long> parts = new TreeMap<>();
    for (JsonElement one : amounts) {
      JsonArray pair = one.getAsJsonArray();
      parts.put(pair.get(0).getAsString(), pair.get(1).getAsLong() / MS);
    }
    return parts;
  }

  private static JsonObject slowest(JoinRun run) throws IOException {
    return run.endpoint("GET /order")
        .getAsJsonArray("slowest")
        .get(0)
        .getAsJsonObject()
        .getAsJsonObject("parts");
  }

  private static JsonObject mean(JoinRun run) throws IOException {
    return run.endpoint("GET /order").getAsJsonObject("ofMean");
  }

  /** A profiler that looks for stops says so by samples of 0 ns. */
  @Test
  void stops_ofWhichThereWereNone_areKnown() throws IOException {
    request(1, 100);
    each(cpu, "a", 0, 100, 10, SORT);
    stop(10, 0, "no stop");
    throttled.timed(NONE, NONE, "", START + 10 * MS, 0, List.of("throttled"));

    JoinRun run = run();

    JsonObject parts = run.summaryOf("GET /order").getAsJsonObject("partsNanos");
    assertThat(parts.keySet()).contains("stopped", "throttled").doesNotContain("io", "ready");
    assertThat(parts.get("stopped").getAsLong()).isZero();
    assertThat(run.data().get("notRecorded").getAsString())
        .contains("No samples of: waits; threads that are ready")
        .doesNotContain("stops of the JVM");
    assertThat(run.data().getAsJsonArray("halts")).isEmpty();
  }

  /** Of which the page makes the parts of a range. */
  @Test
  void bins_haveWhatWasMeasuredOfTheRequestsThatBeginInThem() throws IOException {
    request(1, 200);
    traces.root(2, "GET /order", START + 1000 * MS, START + 1200 * MS);
    traces.root(3, "GET /order", START + 1500 * MS, START + 2500 * MS);
    traces.root(4, "GET /order", START + 1300 * MS, START + 1200 * MS); // of unknown duration
    sample(waits, 4, "a", 1300, PERIOD, LOCK);
    each(cpu, "a", 0, 30, 10, SORT);
    sample(waits, 2, "a", 1100, PERIOD, LOCK);
    sample(waits, 3, "a", 1600, PERIOD, LOCK);
    sample(waits, 3, "a", 2100, PERIOD, LOCK);
    sample(locks, 3, "a", 2050, 80 * MS, LOCK);
    stop(2300, 40 * MS, "Full");
    cpu.timed(NONE, NONE, "job", START + 2000 * MS, 10 * MS, SORT);

    JsonObject slices = run().endpoint("GET /order").getAsJsonObject("slices");

    assertThat(slices.getAsJsonArray("requests")).hasToString("[1,3,0]");
    assertThat(slices.getAsJsonArray("known")).hasToString("[1,2,0]");
    assertThat(slices.getAsJsonObject("measured"))
        .hasToString(
            "{\"exact stopped\":{\"bins\":[1],\"micros\":[40000]},"
                + "\"locks lock\":{\"bins\":[1],\"micros\":[80000],\"counts\":[1],\"squares\":[6.4E9]},"
                + "\"samples lock\":{\"bins\":[1],\"micros\":[150000],\"counts\":[3],\"squares\":[1.25E10]},"
                + "\"samples onCpu\":{\"bins\":[0],\"micros\":[30000],\"counts\":[3],\"squares\":[9.0E8]}}");
  }

  @Test
  void cells_haveTheirSamplesOrTheTimeOfEach() throws IOException {
    request(1, 200);
    traces.root(2, "GET /order", START + 1000 * MS, START + 1200 * MS);
    cpu.timed(NONE, NONE, "job", START + 2000 * MS, 10 * MS, SORT);
    sample(cpu, 1, "a", 10, 10 * MS, SORT);
    sample(cpu, 1, "a", 20, 10 * MS, SORT);
    sample(cpu, 1, "a", 30, 10 * MS, LOCK);

    JsonObject alike = run().endpoint("GET /order").getAsJsonObject("slices");

    assertThat(alike.get("sampleNanos").getAsLong()).isEqualTo(10 * MS);
    assertThat(alike.has("cpuSamples")).isFalse();

    sample(cpu, 1, "a", 40, 20 * MS, SORT);

    JsonObject different = run().endpoint("GET /order").getAsJsonObject("slices");

    assertThat(different.has("sampleNanos")).isFalse();
    assertThat(different.getAsJsonArray("cpu"))
        .extracting(JsonElement::getAsLong)
        .containsExactlyInAnyOrder(40 * MS, 10 * MS);
    assertThat(different.getAsJsonArray("cpuSamples"))
        .extracting(JsonElement::getAsInt)
        .containsExactlyInAnyOrder(3, 1);
  }

  /** So that the page stays within its limit. */
  @Test
  void bins_ofManyEndpointsWithManyParts_areFewer() throws IOException {
    int endpoints = 200;
    int requests = 65;
    List<List<String>> stacks =
        List.of(
            LOCK,
            FUTURE,
            SOCKET,
            SORT,
            List.of("java.lang.Thread.sleep"),
            List.of("com.zaxxer.hikari.Pool.get", "java.lang.Thread.join"),
            List.of("java.lang.ClassLoader.loadClass"));
    for (int number = 0; number < endpoints * requests; number++) {
      int turn = number / endpoints;
      long start = START + turn * 2000 * MS;
      traces.root(number + 1, "GET /" + number % endpoints, start, start + 900 * MS);
      if (turn % (requests - 1) == 0) { // the first and the last one
        sample(cpu, number + 1, "a", turn * 2000L, 10 * MS, SORT);
        sample(runnable, number + 1, "a", turn * 2000L, PERIOD, SORT);
        for (int place = 0; place < stacks.size(); place++) {
          long millis = turn * 2000L + place * 100;
          sample(waits, number + 1, "a", millis + 25, PERIOD, stacks.get(place));
          sample(waits, number + 1, "a", millis + 50, PERIOD + MS, stacks.get(place));
        }
      }
    }

    JoinRun run = run();

    JsonObject slices = run.endpoint("GET /7").getAsJsonObject("slices");
    JsonArray series = run.data().getAsJsonObject("overTime").getAsJsonArray("series");
    assertThat(series.get(0).getAsJsonArray()).hasSize(26);
    assertThat(slices.getAsJsonArray("requests")).hasSize(26);
    assertThat(slices.getAsJsonArray("requests").get(25).getAsInt()).isEqualTo(2);
    assertThat(slices.getAsJsonObject("measured").get("samples onCpu"))
        .hasToString(
            "{\"bins\":[0,25],\"micros\":[10000,10000],\"counts\":[1,1],\"squares\":[1.0E8,1.0E8]}");
  }

  @Test
  void request_ofOneThread_hasPartsThatAddUpToItsDuration() throws IOException {
    request(1, 612);
    each(waits, "a", 0, 350, 50, LOCK);
    each(cpu, "a", 350, 560, 10, SORT);
    stop(560, 40 * MS, "G1 Evacuation Pause");

    JoinRun run = run();

    assertThat(parts(slowest(run)))
        .isEqualTo(Map.of("lock", 350L, "onCpu", 210L, "stopped", 40L, "notKnown", 12L));
    assertThat(slowest(run).get("sentence").getAsString())
        .isEqualTo(
            "612 ms: 350 ms waiting for a lock (`OrderBook.reserve`);"
                + " 210 ms ± 89.8 ms on CPU, most of it in `Report.total`;"
                + " 40.0 ms stopped (G1 Evacuation Pause); 12.0 ms not known");
    assertThat(parts(mean(run))).isEqualTo(parts(slowest(run)));
  }

  @Test
  void stop_duringAWait_countsInPlaceOfTheWait() throws IOException {
    request(1, 200);
    each(waits, "a", 0, 200, 50, LOCK);
    stop(50, 100 * MS, "G1 Full GC");
    stop(60, 10 * MS, "another name of the same stop");

    assertThat(parts(slowest(run()))).isEqualTo(Map.of("lock", 100L, "stopped", 100L));
  }

  @Test
  void stop_withinAWholeWaitOfAVirtualThread_isTakenFromIt() throws IOException {
    request(1, 400);
    sample(waits, 1, "", 20, 300 * MS, SOCKET);
    stop(100, 30 * MS, "G1 Evacuation Pause");
    stop(390, 100 * MS, "G1 Evacuation Pause");

    JoinRun run = run();

    assertThat(parts(slowest(run))).isEqualTo(Map.of("io", 270L, "stopped", 40L, "notKnown", 90L));
    assertThat(slowest(run).get("sentence").getAsString()).doesNotContain("±");
  }

  @Test
  void wholeWait_beyondTheEndOfTheRequest_countsUntilThere() throws IOException {
    request(1, 200);
    sample(waits, 1, "", 150, 300 * MS, SOCKET);

    assertThat(parts(slowest(run()))).isEqualTo(Map.of("io", 50L, "notKnown", 150L));
  }

  @Test
  void threads_onCpuAtOnce_shareTheTime() throws IOException {
    request(1, 100);
    each(cpu, "a", 0, 100, 10, SORT);
    each(cpu, "b", 0, 100, 10, SORT);

    assertThat(parts(slowest(run()))).isEqualTo(Map.of("onCpu", 100L));
  }

  @Test
  void future_whileItsThreadWorks_hasWhatThatThreadDoes() throws IOException {
    request(1, 400);
    each(waits, "a", 0, 400, 50, FUTURE);
    each(cpu, "worker", 100, 200, 10, SORT);
    each(waits, "worker", 200, 300, 50, SOCKET);

    assertThat(parts(slowest(run())))
        .isEqualTo(Map.of("otherThread", 200L, "onCpu", 100L, "io", 100L));
  }

  @Test
  void samples_ofOneThread_takeNothingFromEachOther() throws IOException {
    request(1, 400);
    for (int i = 0; i < 4; i++) {
      sample(waits, 1, "a", 100, PERIOD, LOCK);
      sample(cpu, 1, "a", 100, 10 * MS, SORT);
    }

    assertThat(parts(slowest(run())))
        .isEqualTo(Map.of("lock", 200L, "onCpu", 40L, "notKnown", 160L));
  }

  @Test
  void ready_isWhatIsRunnableButNotOnCpu_andThrottledAsFarAsThereWasThrottling()
      throws IOException {
    request(1, 1000);
    each(runnable, "a", 0, 1000, 50, SORT);
    each(cpu, "a", 0, 400, 10, SORT);
    throttled.timed(NONE, NONE, "", START - 500 * MS, 0, List.of("throttled"));
    throttled.timed(NONE, NONE, "", START, 250 * MS, List.of("throttled"));
    throttled.timed(NONE, NONE, "", START + 1000 * MS, 900 * MS, List.of("throttled"));

    assertThat(parts(slowest(run())))
        .isEqualTo(Map.of("onCpu", 400L, "ready", 350L, "throttled", 250L));
  }

  @Test
  void estimates_beyondTheDuration_areScaledToWhatExactPartsLeave() throws IOException {
    request(1, 300);
    each(cpu, "a", 0, 400, 10, SORT);
    each(waits, "a", 0, 400, 50, LOCK);
    stop(290, 100 * MS, "G1 Evacuation Pause");

    JsonObject parts = slowest(run());

    assertThat(parts(parts).get("stopped")).isEqualTo(10);
    assertThat(parts(parts)).doesNotContainKey("notKnown");
    assertThat(parts(parts).get("onCpu")).isCloseTo(145, within(10L));
    assertThat(parts(parts).values().stream().mapToLong(one -> one).sum())
        .isCloseTo(300, within(2L));
  }

  /** Each has a sample of a wait with a chance of 2 in 50, and works in between. */
  @Test
  void endpoint_ofRequestsShorterThanThePeriod_isUnbiased() throws IOException {
    for (int number = 1; number <= 2000; number++) {
      traces.root(
          number, "GET /order", START + number * 10 * MS, START + number * 10 * MS + 2 * MS);
      if (number % 50 == 0) {
        sample(waits, number, "a", number * 10L + 1, PERIOD, LOCK);
        sample(runnable, number, "a", number * 10L + 1, PERIOD, SORT);
      }
      if (number % 20 == 0) {
        sample(cpu, number, "a", number * 10L, 10 * MS, SORT);
      }
    }

    JoinRun run = run();

    assertThat(mean(run).get("sentence").getAsString())
        .startsWith("2.00 ms: 1.00 ms")
        .contains("500 µs ± ", " on CPU")
        .contains(" ready, without a CPU")
        .doesNotContain("not known");
    assertThat(slowest(run).get("sentence").getAsString())
        .isEqualTo("2.00 ms: shorter than the period of 10.0 ms of its samples: see the endpoint");
    for (JsonElement one : run.endpoint("GET /order").getAsJsonArray("slowest")) {
      assertThat(parts(one.getAsJsonObject().getAsJsonObject("parts")))
          .isEqualTo(Map.of("notKnown", 2L));
    }
  }

  @Test
  void attributes_ofTheSpan_takeThePlaceOfEstimates() throws IOException {
    request(1, 200);
    traces.attribute("thread.cpu.time", 0.06);
    traces.attribute("thread.run_queue.time", 0.02);
    traces.attribute("jvm.stopped.time", 0.01);
    each(cpu, "a", 0, 100, 10, SORT);
    each(runnable, "a", 0, 200, 50, SORT);
    each(waits, "a", 100, 200, 50, LOCK);

    JoinRun run = run();

    assertThat(parts(slowest(run)))
        .isEqualTo(
            Map.of("onCpu", 60L, "ready", 20L, "stopped", 10L, "lock", 100L, "notKnown", 10L));
    assertThat(slowest(run).get("sentence").getAsString()).doesNotContain("±");
  }

  /** The attribute is of the thread of the span alone. */
  @Test
  void attribute_ofCpuTimeBesideAnotherThread_isTheLeast() throws IOException {
    request(1, 200);
    traces.attribute("thread.cpu.time", 0.01);
    each(waits, "a", 0, 200, 50, FUTURE);
    each(cpu, "worker", 0, 200, 10, SORT);

    assertThat(parts(slowest(run()))).isEqualTo(Map.of("onCpu", 200L));
  }

  /** With default settings, only CPU time is sampled. */
  @Test
  void attribute_ofCpuTimeOfAThreadThatOnlyWaits_isTheLeast() throws IOException {
    request(1, 200);
    traces.attribute("thread.cpu.time", 0.005);
    each(cpu, "worker", 0, 200, 10, SORT);

    assertThat(parts(slowest(run()))).isEqualTo(Map.of("onCpu", 200L));
  }

  /** As virtual threads, of which the profile has no thread. */
  @Test
  void wholeWaits_atTheSameTime_areOfSeveralThreads() throws IOException {
    request(1, 400);
    for (int thread = 0; thread < 10; thread++) {
      sample(waits, 1, "", 0, 300 * MS, SOCKET);
    }
    sample(waits, 1, "", 0, 300 * MS, FUTURE);
    each(cpu, "carrier", 300, 400, 10, SORT);

    assertThat(parts(slowest(run()))).isEqualTo(Map.of("io", 300L, "onCpu", 100L));
  }

  @Test
  void wholeWaits_betweenTimesOnCpu_loseNothing() throws IOException {
    request(1, 500);
    for (int turn = 0; turn < 5; turn++) {
      sample(waits, 1, "", turn * 100L, 90 * MS, SOCKET);
      sample(cpu, 1, "carrier", turn * 100L + 95, 10 * MS, SORT);
    }

    assertThat(parts(slowest(run()))).isEqualTo(Map.of("io", 450L, "onCpu", 50L));
  }

  @Test
  void waits_afterTheEnd_countForNothing() throws IOException {
    request(1, 100);
    each(waits, "a", 0, 100, 50, LOCK);
    sample(waits, 1, "a", 101, PERIOD, LOCK);
    sample(waits, 1, "a", 140, PERIOD, LOCK);

    assertThat(parts(slowest(run()))).isEqualTo(Map.of("lock", 100L));
  }

  @Test
  void stop_besideMoreWaitsThanTheRequestTook_staysExact() throws IOException {
    request(1, 300);
    stop(100, 100 * MS, "G1 Evacuation Pause");
    sample(waits, 1, "a", 0, 300 * MS, SOCKET);
    sample(waits, 1, "b", 0, 300 * MS, SOCKET);

    assertThat(parts(slowest(run()))).isEqualTo(Map.of("stopped", 100L, "io", 200L));
  }

  @Test
  void attribute_ofTheRunQueueBesideAnotherThread_isTheLeast() throws IOException {
    request(1, 200);
    traces.attribute("thread.run_queue.time", 0.01);
    each(waits, "a", 0, 200, 50, FUTURE);
    each(runnable, "worker", 0, 200, 50, SORT);
    for (long at = 10; at < 200; at += 20) {
      sample(cpu, 1, "worker", at, 10 * MS, SORT);
    }

    assertThat(parts(slowest(run()))).isEqualTo(Map.of("onCpu", 100L, "ready", 100L));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY, 1e300, 0.3})
  void attributes_thatCannotBe_areLeftOut(double seconds) throws IOException {
    request(1, 200);
    for (String name : List.of("thread.cpu.time", "thread.run_queue.time", "jvm.stopped.time")) {
      traces.attribute(name, seconds);
    }
    each(cpu, "a", 0, 100, 10, SORT);
    byte[] binary = CollectorFiles.protobuf(traces.build(), cpu.build());

    assertThat(parts(slowest(JoinRun.of(directory, binary))))
        .isEqualTo(Map.of("onCpu", 100L, "notKnown", 100L));
  }

  @Test
  void values_thatCannotBe_areLeftOut() throws IOException {
    request(1, 200);
    each(cpu, "a", 0, 100, 10, SORT);
    stop(0, -5, "negative");
    stop(0, Long.MAX_VALUE, "endless");
    stop(150, 3600_000 * MS, "longer than the request");
    runnable.timed(traceId(1), spanId(1), "a", 0, 50 * MS, SORT);

    JoinRun run = run();

    assertThat(parts(slowest(run)))
        .isEqualTo(Map.of("onCpu", 100L, "stopped", 50L, "notKnown", 50L));
    assertThat(run.notes()).anyMatch(note -> note.contains("value that cannot be"));
  }

  @Test
  void stops_inNumbers_addUp() throws IOException {
    for (int number = 1; number <= 1000; number++) {
      traces.root(number, "GET /order", START, START + 100_000 * MS);
    }
    for (int number = 0; number < 100_000; number++) {
      stop(number, MS / 10, "cause " + number % 40);
    }

    assertThat(parts(mean(run()))).isEqualTo(Map.of("stopped", 10_000L, "notKnown", 90_000L));
  }

  @Test
  void waiting_isNotLessThanTheLocksInIt() throws IOException {
    request(1, 400);
    each(waits, "a", 0, 100, 50, List.of("main", "native"));
    sample(locks, 1, "a", 0, 150 * MS, List.of("main", OWN));

    JoinRun run = run();

    assertThat(parts(slowest(run))).isEqualTo(Map.of("lock", 150L, "notKnown", 250L));
    assertThat(slowest(run).get("sentence").getAsString()).contains("OrderBook.reserve");
  }

  @Test
  void span_withSamplesOfItsOwn_hasPartsOfItsDuration() throws IOException {
    request(1, 400);
    traces.span(
        traceId(1),
        spanId(9),
        spanId(1),
        LOCAL_PARENT,
        "inner",
        START + 100 * MS,
        START + 300 * MS);
    each(cpu, "a", 0, 100, 10, SORT);
    for (int at = 125; at < 300; at += 50) {
      waits.timed(traceId(1), spanId(9), "a", START + at * MS, PERIOD, SOCKET);
    }
    stop(290, 20 * MS, "G1 Evacuation Pause");

    JoinRun run = run();

    assertThat(parts(slowest(run)))
        .isEqualTo(Map.of("onCpu", 100L, "io", 200L, "stopped", 20L, "notKnown", 80L));
    JsonObject inner = run.traceOf("GET /order").getAsJsonArray("spans").get(1).getAsJsonObject();
    assertThat(inner.get("name").getAsString()).isEqualTo("inner");
    assertThat(parts(inner.getAsJsonArray("parts")).get("io")).isEqualTo(190);
    assertThat(parts(inner.getAsJsonArray("parts")).get("stopped")).isEqualTo(10);
  }

  @Test
  void slowest_ofMoreRequestsThanThePageLists_haveTheirOwnParts() throws IOException {
    for (int number = 1; number <= 100; number++) {
      boolean slow = number <= 20;
      request(number, slow ? 500 : 100);
      for (int at = 25; at < (slow ? 500 : 100); at += 50) {
        sample(waits, number, "a", at, PERIOD, slow ? LOCK : SOCKET);
      }
    }

    JsonObject endpoint = run().endpoint("GET /order");

    assertThat(parts(endpoint.getAsJsonObject("ofSlowest"))).isEqualTo(Map.of("lock", 500L));
    assertThat(parts(endpoint.getAsJsonObject("ofMean")))
        .isEqualTo(Map.of("lock", 100L, "io", 80L));
  }

  @Test
  void kinds_thatAreMissing_areNotKnownAndNamed() throws IOException {
    request(1, 100);
    each(cpu, "a", 0, 50, 10, SORT);
    JoinRun run = run();

    assertThat(parts(slowest(run))).isEqualTo(Map.of("onCpu", 50L, "notKnown", 50L));
    assertThat(run.data().get("notRecorded").getAsString())
        .startsWith("No samples of: waits; ")
        .contains("stops of the JVM", "embedded.profiler.events=cpu,wall,stops");
    assertThat(run.summaryOf("GET /order").getAsJsonObject("partsNanos").keySet())
        .containsExactly("onCpu", "notKnown");
    assertThat(run.summaryOf("GET /order").getAsJsonObject("partsPlusMinusNanos").keySet())
        .containsExactly("onCpu");
  }

  @Test
  void samplesOfLocks_tellNothingOfOtherWaits() throws IOException {
    request(1, 1000);
    each(cpu, "a", 0, 50, 10, SORT);
    sample(locks, 1, "a", 100, 5 * MS, List.of("main", OWN));
    JoinRun run = run();

    assertThat(run.summaryOf("GET /order").getAsJsonObject("partsNanos").keySet())
        .containsExactly("onCpu", "lock", "notKnown");
    assertThat(run.data().get("notRecorded").getAsString())
        .startsWith("No samples of: waits; threads that are ready");
  }

  @Test
  void kinds_ofAnotherService_areMissing() throws IOException {
    request(1, 1000);
    traces.attribute("thread.run_queue.time", 0.02);
    each(waits, "a", 0, 50, 50, SOCKET);
    stop(2000, 10 * MS, "G1 Evacuation Pause");
    TraceData others = new TraceData("stock").root(2, "GET /stock", START, START + 1000 * MS);
    ProfileData ofOthers =
        new ProfileData().service("stock").sample(traceId(2), spanId(2), START, 10, SORT);
    JoinRun run =
        JoinRun.of(
            directory,
            CollectorFiles.json(
                traces.build(), waits.build(), stops.build(), others.build(), ofOthers.build()));

    assertThat(run.summaryOf("GET /order").getAsJsonObject("partsNanos").keySet())
        .contains("stopped", "ready", "sleep", "io")
        .doesNotContain("onCpu", "throttled");
    assertThat(run.summaryOf("GET /stock").getAsJsonObject("partsNanos").keySet())
        .containsExactly("onCpu", "notKnown");
    assertThat(run.data().has("notRecorded")).isFalse();
    assertThat(run.endpoint("GET /stock").get("notRecorded").getAsString())
        .startsWith("No samples of: waits; threads that are ready, but have no CPU; stops of");
    assertThat(run.endpoint("GET /order").get("notRecorded").getAsString())
        .startsWith("No samples of: time on CPU. If");
  }

  @Test
  void answers_haveTheSentencesOfThePage() throws IOException {
    request(1, 612);
    each(waits, "a", 0, 350, 50, LOCK);
    each(cpu, "a", 350, 560, 10, SORT);
    JoinRun run = run();
    String sentence = slowest(run).get("sentence").getAsString();
    String input = directory.resolve("input").toString();

    assertThat(ask("request", "--id", "000000000000feed" + "0000000000000001", input))
        .contains("GET /order: " + sentence + ".");
    for (String[] question :
        new String[][] {
          {"endpoints", input},
          {"methods", "--endpoint", "GET /order", input},
          {"waiting", "--endpoint", "GET /order", input}
        }) {
      assertThat(ask(question))
          .contains("The mean request of GET /order: " + mean(run).get("sentence").getAsString());
    }
    assertThat(ask("endpoints", input)).contains("No samples of: ");
    assertThat(ask("waiting", input)).contains("not known ms").doesNotContain("neither ms");
  }

  /** Allocation tells what is kept for each span, without a clock. */
  @Test
  void spans_nestedDeeply_takeMemoryInProportionToTheirNumber() throws IOException {
    long some = allocatedForNested(1_500);
    long more = allocatedForNested(6_000);

    assertThat(more).isLessThan(8 * some);
  }

  /** Checks that the outermost of so many sampled spans has all of their time. */
  private long allocatedForNested(int depth) throws IOException {
    TraceData nested = new TraceData("shop").root(1, "GET /order", START, START + depth * MS);
    ProfileData ofSpans = kind("off_cpu", PERIOD);
    for (int span = 1; span <= depth; span++) {
      if (span > 1) {
        nested.span(
            traceId(1),
            spanId(span),
            spanId(span - 1),
            LOCAL_PARENT,
            "inner",
            START,
            START + depth * MS);
      }
      ofSpans.timed(traceId(1), spanId(span), "a", START + span * MS, MS, SOCKET);
    }
    Path file = directory.resolve("nested-" + depth);
    Files.write(file, CollectorFiles.json(nested.build(), ofSpans.build()));
    long before = allocated();
    JoinRun run = JoinRun.of(file);
    long allocated = allocated() - before;
    assertThat(parts(slowest(run)).get("io")).isCloseTo(depth, within(1L));
    return allocated;
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  @Test
  void stop_withoutAFrame_hasAnUnknownCause() throws IOException {
    request(1, 3000);
    each(cpu, "a", 0, 3000, 10, SORT);
    stops.timed(NONE, NONE, "", START + 1200 * MS, 40 * MS, List.of());

    assertThat(run().data().getAsJsonArray("halts"))
        .hasToString("[[1,[\"unknown cause\",1,40000000]]]");
  }

  @Test
  void stops_areALaneWithCauses() throws IOException {
    request(1, 3000);
    each(cpu, "a", 0, 3000, 10, SORT);
    stop(1200, 40 * MS, "G1 Evacuation Pause");
    stop(1300, 5 * MS, "G1 Evacuation Pause");
    throttled.timed(NONE, NONE, "", START + 2000 * MS, 50 * MS, List.of("throttled"));

    assertThat(run().data().getAsJsonArray("halts"))
        .hasToString("[[1,[\"G1 Evacuation Pause\",2,45000000]],[2,[\"\",1,50000000]]]");
  }

  @Test
  void stop_overSeveralBins_hasTimeInEachOfThem() throws IOException {
    request(1, 4000);
    each(cpu, "a", 0, 4000, 10, SORT);
    stop(800, 2500 * MS, "G1 Full GC");
    stop(900, 2000 * MS, "another name of the same stop");
    stop(-5000, 100 * MS, "before the chart");

    assertThat(run().data().getAsJsonArray("halts"))
        .hasToString(
            "[[0,[\"G1 Full GC\",1,200000000]],[1,[\"G1 Full GC\",0,1000000000]],"
                + "[2,[\"G1 Full GC\",0,1000000000]],[3,[\"G1 Full GC\",0,300000000]]]");
  }

  private static String ask(String... arguments) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    assertThat(FlameGraphs.run(arguments, InputStream.nullInputStream(), out, out)).isZero();
    return printed.toString(StandardCharsets.UTF_8);
  }
}
