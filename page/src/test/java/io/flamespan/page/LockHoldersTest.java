/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.LOCAL_PARENT;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sentences and answers name who held the locks for which requests waited. */
class LockHoldersTest {
  private static final List<String> LOCK =
      List.of("main", "com.acme.OrderBook.reserve", "ObjectMonitor::enter");
  private static final List<String> BOOK = List.of("com.acme.OrderBook");
  private static final long EXPORT = 2;

  @TempDir Path directory;

  private final TraceData traces = new TraceData("shop");
  private final ProfileData waits = kind("off_cpu").period("off_cpu", "nanoseconds", 50 * MS);
  private final ProfileData holders = kind("lock_holder");

  private static ProfileData kind(String type) {
    return new ProfileData().service("shop").type(type, "nanoseconds").period("", "", 0);
  }

  /** A request that waits for a lock for 350 of 400 ms, and another one. */
  private void requests() {
    traces.root(1, "GET /order", START, START + 400 * MS);
    traces.root(EXPORT, "GET /export", START, START + 390 * MS);
    for (long at = 0; at < 350; at += 50) {
      waits.timed(traceId(1), spanId(1), "a", START + (at + 25) * MS, 50 * MS, LOCK);
    }
  }

  private static Map<String, String> request(long number, String thread) {
    return Map.of(
        "lock.holder.trace_id", HexFormat.of().formatHex(traceId(number)),
        "lock.holder.span_id", HexFormat.of().formatHex(spanId(number)),
        "lock.holder.thread.name", thread);
  }

  private static Map<String, String> notSampled(String name, String thread) {
    return Map.of(
        "lock.holder.trace_id",
        "0".repeat(32),
        "lock.holder.span_id",
        "0".repeat(16),
        "lock.holder.not_sampled.span.name",
        name,
        "lock.holder.thread.name",
        thread);
  }

  private void held(long millis, long from, List<String> lock, Map<String, String> holder) {
    holders.held(traceId(1), spanId(1), START + from * MS, millis * MS, lock, holder);
  }

  private JoinRun run() throws IOException {
    Message[] messages = {traces.build(), waits.build(), holders.build()};
    JoinRun run = JoinRun.of(directory, CollectorFiles.json(messages));
    assertThat(run.status()).as(String.join("\n", run.lines())).isZero();
    return run;
  }

  private static String sentence(JoinRun run) throws IOException {
    JsonObject endpoint = run.endpoint("GET /order");
    String ofMean = endpoint.getAsJsonObject("ofMean").get("sentence").getAsString();
    String ofRequest =
        endpoint
            .getAsJsonArray("slowest")
            .get(0)
            .getAsJsonObject()
            .getAsJsonObject("parts")
            .get("sentence")
            .getAsString();
    assertThat(ofMean).isEqualTo(ofRequest);
    return ofRequest;
  }

  private String answer(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int status =
        FlameGraphs.run(
            arguments,
            InputStream.nullInputStream(),
            new PrintStream(out, true, UTF_8),
            new PrintStream(out, true, UTF_8));
    assertThat(status).as(out.toString(UTF_8)).isZero();
    return out.toString(UTF_8);
  }

  @Test
  void request_thatWaitedForALock_namesTheLockAndTheEndpointThatHeldIt() throws IOException {
    requests();
    held(340, 5, BOOK, request(EXPORT, "exec-2"));

    assertThat(sentence(run()))
        .isEqualTo(
            "400 ms: 350 ms waiting for `OrderBook` (`OrderBook.reserve`), last held by GET /export;"
                + " 50.0 ms not known");
  }

  @Test
  void owner_ofALockThatKnowsIt_isNotTheLastOneOnly() throws IOException {
    requests();
    List<String> lock = List.of("java.util.concurrent.locks.ReentrantLock");
    held(340, 5, lock, request(EXPORT, "exec-2"));

    assertThat(sentence(run()))
        .contains("waiting for `ReentrantLock` (`OrderBook.reserve`), held by GET /export;");
    assertThat(waiting()).contains("Who held the locks, in ms of waiting, of 340.000");
  }

  @Test
  void holder_ofAMonitorAndALockWithAnOwner_heldThemLast() throws IOException {
    requests();
    held(100, 5, BOOK, request(EXPORT, "exec-2"));
    List<String> lock = List.of("java.util.concurrent.locks.ReentrantLock");
    held(240, 105, lock, request(EXPORT, "exec-2"));

    assertThat(sentence(run())).contains(", last held by GET /export;");
    assertThat(waiting()).contains("Who held the locks last, in ms of waiting, of 340.000");
  }

  @Test
  void holders_ofWhichNoneHasMost_areNamedByTheLargestWithItsTime() throws IOException {
    requests();
    held(100, 0, BOOK, request(EXPORT, "exec-2"));
    held(60, 100, BOOK, Map.of("lock.holder.thread.name", "exec-3"));
    held(60, 160, BOOK, Map.of("lock.holder.thread.name", "exec-4"));

    assertThat(sentence(run()))
        .isEqualTo(
            "400 ms: 350 ms waiting for `OrderBook` (`OrderBook.reserve`),"
                + " of which 120 ms last held by thread exec-#; 50.0 ms not known");
  }

  @Test
  void holder_ofMoreThanHalfOfTheWaits_heldThemMostly() throws IOException {
    requests();
    held(230, 0, BOOK, request(EXPORT, "exec-2"));
    held(120, 230, BOOK, Map.of("lock.holder.thread.name", "exec-3"));

    assertThat(sentence(run()))
        .contains("(`OrderBook.reserve`), mostly last held by GET /export; 50.0 ms not known");
  }

  /**
   * For instance, most of the waits for locks are inside a pool, and waits for locks are others.
   */
  @Test
  void holders_ofMuchMoreThanThePart_areNotNamed() throws IOException {
    traces.root(1, "GET /order", START, START + 400 * MS);
    traces.root(EXPORT, "GET /export", START, START + 390 * MS);
    waits.timed(traceId(1), spanId(1), "a", START + 25 * MS, 50 * MS, LOCK);
    held(340, 5, BOOK, request(EXPORT, "exec-2"));

    assertThat(sentence(run())).contains("50.0 ms waiting for a lock (`OrderBook.reserve`)");
  }

  @Test
  void holder_withoutARequest_isNamedByItsThread() throws IOException {
    requests();
    held(350, 0, BOOK, Map.of("lock.holder.thread.name", "cleaner"));

    assertThat(sentence(run())).contains("(`OrderBook.reserve`), last held by thread cleaner;");
  }

  @Test
  void holder_whoseRequestIsNotSampled_isNamedByThatRequest() throws IOException {
    requests();
    held(350, 0, BOOK, notSampled("GET /pay", "exec-9"));

    assertThat(sentence(run())).contains("last held by a request that is not sampled: GET /pay;");
  }

  @Test
  void holder_whoseRequestIsMissing_isARequestThatIsNotKnown() throws IOException {
    requests();
    held(350, 0, BOOK, request(9, "exec-9"));

    assertThat(sentence(run())).contains(", last held by a request that is not known;");
  }

  @Test
  void holder_ofWhoseRequestNothingIsKnown_isARequestThatIsNotKnown() throws IOException {
    requests();
    held(350, 0, BOOK, request(0, "exec-9"));

    JoinRun run = run();

    assertThat(sentence(run)).contains(", last held by a request that is not known;");
    assertThat(waiting())
        .contains(
            "of 0.000 of 350.000 ms known: OrderBook by a request that is not known 350.000.");
  }

  @Test
  void holder_ofWhomNothingIsKnown_isNotNamed() throws IOException {
    requests();
    held(350, 0, BOOK, Map.of());

    JoinRun run = run();

    assertThat(sentence(run))
        .contains("350 ms waiting for `OrderBook` (`OrderBook.reserve`); 50.0 ms not known");
    assertThat(waiting()).contains("of 0.000 of 350.000 ms known: OrderBook by somebody 350.000.");
    assertThat(run.summaryOf("GET /order").getAsJsonArray("lockHolders").toString())
        .isEqualTo("[{\"lock\":\"com.acme.OrderBook\",\"nanos\":350000000}]");
  }

  @Test
  void holder_ofAPool_isNamedWithTheWaitForThePool() throws IOException {
    requests();
    held(350, 0, List.of("com.zaxxer.hikari.pool.HikariPool"), request(EXPORT, "exec-2"));

    assertThat(sentence(run())).contains("350 ms waiting for a lock (`OrderBook.reserve`); 50");
  }

  @Test
  void time_outsideOfTheSpan_isLeftOut() throws IOException {
    requests();
    traces.span(traceId(1), spanId(5), spanId(1), LOCAL_PARENT, "c", START, START + 100 * MS);
    held(340, -20, BOOK, request(EXPORT, "exec-2"));
    held(350, 390, BOOK, request(EXPORT, "exec-2"));
    held(350, 410, BOOK, request(EXPORT, "exec-2"));
    holders.held(traceId(1), spanId(5), START + 95 * MS, 9 * MS, BOOK, request(EXPORT, "exec-2"));

    assertThat(run().summaryOf("GET /order").getAsJsonArray("lockHolders").toString())
        .contains("\"nanos\":335000000}]"); // 320 + 10 + 5 ms
  }

  @Test
  void holders_tellNothingOfHowLongARequestWaited() throws IOException {
    traces.root(1, "GET /order", START, START + 400 * MS);
    traces.span(traceId(1), spanId(5), spanId(1), LOCAL_PARENT, "child", START, START + 400 * MS);
    holders.held(traceId(1), spanId(5), START, 350 * MS, BOOK, request(EXPORT, "exec-2"));

    JoinRun run = run();

    assertThat(run.endpoint("GET /order").getAsJsonObject("ofMean").get("sentence").getAsString())
        .isEqualTo("400 ms: 400 ms not known");
    assertThat(run.lines()).noneMatch(line -> line.startsWith("note:"));
  }

  @Test
  void answers_nameHolders() throws IOException {
    requests();
    held(340, 5, BOOK, request(EXPORT, "exec-2"));
    run();
    String input = directory.resolve("input").toString();

    assertThat(waiting())
        .contains(
            "Who held the locks last, in ms of waiting, of 340.000 of 350.000 ms known: OrderBook by"
                + " GET /export 340.000.")
        .contains("waiting for `OrderBook` (`OrderBook.reserve`), last held by GET /export")
        .doesNotContain("Who holds a lock is not recorded");
    assertThat(answer("endpoints", input)).contains("last held by GET /export");
    assertThat(answer("request", "--id", HexFormat.of().formatHex(traceId(1)), input))
        .contains("last held by GET /export", "of 340.000 of 350.000 ms known: OrderBook by GET");
    assertThat(answer("waiting", "--endpoint", "GET /export", input)).doesNotContain("Who held");
  }

  private String waiting() {
    return answer("waiting", "--endpoint", "GET /order", directory.resolve("input").toString());
  }

  @Test
  void answers_aboutHoldersWithLongNames_areShort() throws IOException {
    requests();
    for (int i = 0; i < 40; i++) {
      String thread = "\uD83D\uDD12_".repeat(60) + (char) ('a' + i % 26) + "x".repeat(i);
      held(8, 8 * i, List.of("com.acme." + thread), Map.of("lock.holder.thread.name", thread));
    }
    run();
    String input = directory.resolve("input").toString();

    for (String answer :
        List.of(
            waiting(), answer("request", "--id", HexFormat.of().formatHex(traceId(1)), input))) {
      assertThat(answer).contains("of 320.000 of 350.000 ms known");
      assertThat(answer.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(4_000);
    }
  }

  @Test
  void summary_hasTheHolders() throws IOException {
    requests();
    held(340, 5, BOOK, request(EXPORT, "exec-2"));

    JoinRun run = run();

    assertThat(run.summaryOf("GET /order").getAsJsonArray("lockHolders").toString())
        .isEqualTo(
            "[{\"lock\":\"com.acme.OrderBook\",\"heldBy\":\"GET /export\",\"nanos\":340000000}]");
  }
}
