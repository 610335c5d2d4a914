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

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a sample stands for, by the type and the unit of its profile. */
class SampleTypesTest {
  private static final List<String> STACK = List.of("main", "work");

  @TempDir Path directory;

  @Test
  void cpuTimes_withTimestampsOnly_countAPeriodEach() throws IOException {
    byte[] profile =
        CollectorFiles.json(
            new ProfileData()
                .type("cpu", "nanoseconds")
                .sample(traceId(1), spanId(1), START, 3, STACK)
                .build());

    JoinRun run = JoinRun.of(directory, CollectorFiles.json(Example.shop()), profile);

    assertThat(run.endpoint("GET /checkout").getAsJsonObject("tally").get("cpu").getAsLong())
        .isEqualTo(3 * ProfileData.PERIOD_NANOS);
  }

  @Test
  void samples_ofAsyncProfilersEngines_areCpuTime() throws IOException {
    for (String engine : List.of("ctimer", "itimer", "perf_events")) {
      for (String unit : List.of("ns", "count")) {
        ProfileData profile =
            new ProfileData()
                .type(engine, unit)
                .period(engine, "ns", ProfileData.PERIOD_NANOS)
                .value(traceId(1), spanId(1), unit.equals("ns") ? 20 * MS : 2, STACK);

        JoinRun run =
            JoinRun.of(
                directory.resolve(engine + unit),
                CollectorFiles.json(Example.shop(), profile.build()));

        assertThat(run.endpoint("GET /checkout").getAsJsonObject("tally").get("cpu").getAsLong())
            .as(engine + " " + unit)
            .isEqualTo(20 * MS);
      }
    }
  }

  @Test
  void samples_ofCpuNanoseconds_countTheirValues() throws IOException {
    byte[] profiles =
        CollectorFiles.json(
            new ProfileData()
                .type("cpu", "nanoseconds")
                .value(traceId(3), spanId(3), 25 * MS, STACK)
                .build());

    JsonObject tally =
        JoinRun.of(directory, CollectorFiles.json(Example.shop()), profiles)
            .endpoint("GET /search")
            .getAsJsonObject("tally");

    assertThat(tally.get("cpu").getAsLong()).isEqualTo(25 * MS);
    assertThat(tally.get("samples").getAsLong()).isEqualTo(1);
  }

  @Test
  void samples_ofWaiting_areWaitingAndNoCpuTime() throws IOException {
    byte[] profiles =
        CollectorFiles.json(
            new ProfileData()
                .sample(traceId(3), spanId(3), START, 1, List.of("main", "render"))
                .build(),
            new ProfileData()
                .type("off_cpu", "nanoseconds")
                .value(traceId(3), spanId(3), 25 * MS, STACK)
                .value(NONE, NONE, 70 * MS, STACK)
                .build());

    JoinRun run = JoinRun.of(directory, CollectorFiles.json(Example.shop()), profiles);

    JsonObject search = run.endpoint("GET /search");
    assertThat(search.getAsJsonObject("tally"))
        .isEqualTo(
            JsonParser.parseString(
                "{'samples': 1, 'cpu': 10000000, 'waits': 1, 'waiting': 25000000}"));
    assertThat(search.get("notKnown").getAsLong()).isEqualTo((50 - 10 - 25) * MS);
    assertThat(search.getAsJsonObject("tree").getAsJsonArray("waiting").get(0).getAsLong())
        .isEqualTo(25 * MS);
    assertThat(run.status()).isZero();
    assertThat(run.lines())
        .anyMatch(line -> line.matches("received +1 samples +0.010 s, 2 waits 0.095 s"))
        .anyMatch(line -> line.matches("no Link +0 samples +0.000 s, 1 waits 0.070 s"));
  }

  @ParameterizedTest
  @CsvSource({"1, ok: 1 of 1", "3, ok: 1 of 1", "2, differ: 0 of 1"})
  void stackTraceIds_besideWaits_countThemAllOrNone(int ids, String compared) throws IOException {
    TraceData traces =
        new TraceData("shop").root(1, "GET /sort", START, START + 50 * MS).stackTraceIds(ids);
    byte[] profiles =
        CollectorFiles.json(
            new ProfileData().sample(traceId(1), spanId(1), START, 1, STACK).build(),
            new ProfileData()
                .type("off_cpu", "nanoseconds")
                .value(traceId(1), spanId(1), 5 * MS, STACK)
                .value(traceId(1), spanId(1), 6 * MS, STACK)
                .build());

    JoinRun run = JoinRun.of(directory, CollectorFiles.json(traces.build()), profiles);

    assertThat(run.lines()).contains(compared + " spans with stack trace ids have as many samples");
  }

  @Test
  void samples_ofObjectsInMemory_areNeither() throws IOException {
    byte[] profiles =
        CollectorFiles.json(
            new ProfileData()
                .type("inuse_space", "bytes")
                .value(traceId(3), spanId(3), 4_096, STACK)
                .build());

    JoinRun run = JoinRun.of(directory, CollectorFiles.json(Example.shop()), profiles);

    assertThat(run.samplesOf("GET /search")).isZero();
    assertThat(run.unjoined("neither CPU nor waiting")).isEqualTo(1);
  }

  @Test
  void allocationsAndLocks_areBesideCpuTimeAndCountedByThemselves() throws IOException {
    ProfileData allocations =
        new ProfileData()
            .type("alloc_space", "bytes")
            .kinds(Map.of("byte[]", "class"))
            .value(traceId(3), spanId(3), 600_000, List.of("main", "read", "byte[]"))
            .value(traceId(3), spanId(3), 400_000, List.of("main", "read", "byte[]"))
            .value(traceId(88), spanId(3), 300_000, List.of("main"))
            .value(NONE, NONE, 5_000_000, List.of("main", "byte[]"));
    ProfileData locks =
        new ProfileData()
            .type("lock", "nanoseconds")
            .value(traceId(3), spanId(3), 30 * MS, List.of("main", "enter"));

    JoinRun run =
        JoinRun.of(
            directory,
            CollectorFiles.json(
                Example.shop(), Example.shopProfile(), allocations.build(), locks.build()));

    JsonObject search = run.endpoint("GET /search");
    JsonElement tally =
        JsonParser.parseString(
            "{'samples': 0, 'cpu': 0, 'allocations': 2, 'allocated': 1000000, 'locks': 1,"
                + " 'locking': 30000000}");
    assertThat(search.get("tally")).isEqualTo(tally);
    assertThat(search.getAsJsonArray("slowest").get(0).getAsJsonObject().get("tally"))
        .isEqualTo(tally);
    assertThat(search.get("notKnown").getAsLong()).as("less by locks").isEqualTo(20 * MS);
    JsonObject tree = search.getAsJsonObject("tree");
    assertThat(tree.getAsJsonArray("allocated").get(0).getAsLong()).isEqualTo(1_000_000);
    assertThat(tree.getAsJsonArray("locking").get(0).getAsLong()).isEqualTo(30 * MS);
    assertThat(tree.has("waiting")).isFalse();
    assertThat(run.endpoint("GET /checkout").getAsJsonObject("tree").has("allocated")).isFalse();
    assertThat(run.data().getAsJsonArray("threads"))
        .anySatisfy(
            thread ->
                assertThat(thread.getAsJsonObject().getAsJsonObject("tally").get("allocated"))
                    .hasToString("5000000"));
    assertThat(run.status()).isZero();
    assertThat(run.lines())
        .anyMatch(
            line ->
                line.matches(
                    "received +9 samples +0.090 s, 4 allocations 6.300 MB, 1 locks 0.030 s"))
        .anyMatch(line -> line.matches("span not received .* 1 allocations 0.300 MB"))
        .anyMatch(line -> line.matches("no Link +2 samples +0.020 s, 1 allocations 5.000 MB"));
    JsonObject summary =
        JsonParser.parseString(Files.readString(run.output().resolve("summary.json")))
            .getAsJsonObject();
    assertThat(summary.getAsJsonObject("received").get("allocatedBytes").getAsLong())
        .isEqualTo(6_300_000);
    assertThat(Files.readString(run.output().resolve("summary.md")))
        .contains("| waiting s | allocated MB | locks s |", "| 0.030 | 1.000 | 0.030 |");
  }
}
