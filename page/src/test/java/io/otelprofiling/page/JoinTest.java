/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page;

import static io.otelprofiling.page.Example.MS;
import static io.otelprofiling.page.Example.START;
import static io.otelprofiling.page.TraceData.FLAGS_UNKNOWN;
import static io.otelprofiling.page.TraceData.LOCAL_PARENT;
import static io.otelprofiling.page.TraceData.NONE;
import static io.otelprofiling.page.TraceData.spanId;
import static io.otelprofiling.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JoinTest {
  private static final List<String> STACK = List.of("main", "work");

  @TempDir Path directory;

  @Test
  void samples_withLink_countForTheEndpointOfTheirLocalRoot() throws IOException {
    JoinRun run = example();

    assertThat(run.status()).isZero();
    assertThat(run.samplesOf("GET /checkout")).isEqualTo(7);
    assertThat(run.samplesOf("reserve")).isEqualTo(3);
    assertThat(run.samplesOf("GET /search")).isZero();
    assertThat(run.unjoined("no Link")).isEqualTo(2);
  }

  @Test
  void endpoint_ofTwoRequests_hasTheirMeanAndP99AndCpuTime() throws IOException {
    JsonObject checkout = example().endpoint("GET /checkout");

    assertThat(checkout.get("requests").getAsInt()).isEqualTo(2);
    assertThat(checkout.get("mean").getAsLong()).isEqualTo(150 * MS);
    assertThat(checkout.get("p99").getAsLong()).isEqualTo(200 * MS);
    assertThat(checkout.getAsJsonObject("tally").get("cpu").getAsLong())
        .isEqualTo(7 * ProfileData.PERIOD_NANOS);
  }

  @Test
  void summary_ofTheExample_tellsSumsAndChecks() throws IOException {
    assertThat(example().lines())
        .anyMatch(line -> line.matches("received +12 samples +0.120 s"))
        .anyMatch(line -> line.matches("on the page +10 samples +0.100 s"))
        .contains("ok: samples and CPU time received are those on the page and those by reason")
        .contains("ok: 2 of 2 spans with stack trace ids have as many samples");
  }

  @Test
  void lambdas_numberedByTwoProcesses_areOneFrameWithARawName() throws IOException {
    byte[] traces = CollectorFiles.json(Example.shop());
    String first = "Shop$$Lambda$255/0x00007f1c0c0a1208.run";
    String second = "Shop$$Lambda$259/0x00007f1c0c0a9008.run";
    byte[] profiles =
        CollectorFiles.json(
            new ProfileData()
                .sample(traceId(1), spanId(1), START, 2, List.of("main", first, "work"))
                .sample(traceId(2), spanId(2), START, 3, List.of("main", second, "work"))
                .build());

    JoinRun run = JoinRun.of(directory, traces, profiles);

    assertThat(
            run.endpoint("GET /checkout").getAsJsonObject("tree").getAsJsonArray("cpu").toString())
        .as("one path: root, main, lambda, work")
        .isEqualTo("[50000000,50000000,50000000,50000000]");
    assertThat(run.data().getAsJsonArray("frames").toString())
        .contains("[\"Shop$$Lambda.run\",\"\",\"jvm\",\"" + first + "\"]")
        .doesNotContain(second);
  }

  @Test
  void threads_withoutRequest_haveAGraphAndTheirProcess() throws IOException {
    ProfileData shop = new ProfileData().service("shop");
    shop.threadSample("GC#1", START, 3, List.of("gc", "mark"));
    shop.threadSample("GC#2", START, 1, List.of("gc", "sweep"));
    ProfileData store = new ProfileData().service("store");
    store.threadSample("GC#7", START, 2, List.of("gc", "mark"));

    JoinRun run =
        JoinRun.of(directory, CollectorFiles.json(Example.shop(), shop.build(), store.build()));

    var threads = run.data().getAsJsonArray("threads");
    assertThat(threads)
        .extracting(
            thread -> thread.getAsJsonObject().get("process").getAsString(),
            thread -> thread.getAsJsonObject().get("name").getAsString(),
            thread ->
                thread
                    .getAsJsonObject()
                    .getAsJsonObject("tree")
                    .getAsJsonArray("samples")
                    .toString())
        .containsExactly(tuple("shop", "GC##", "[4,4,3,1]"), tuple("store", "GC##", "[2,2,2]"));
  }

  @Test
  void lines_ofTheProfile_tellWhereTheTimeIsSpent() throws IOException {
    ProfileData profile =
        new ProfileData()
            .lines(Map.of("work", 12, "work ", 14))
            .sample(traceId(1), spanId(1), START, 2, List.of("main", "work"))
            .sample(traceId(2), spanId(2), START, 3, List.of("main", "work "));

    JoinRun run = JoinRun.of(directory, CollectorFiles.json(Example.shop(), profile.build()));

    JsonObject checkout = run.endpoint("GET /checkout");
    assertThat(checkout.getAsJsonObject("lines").get("line").toString()).isEqualTo("[14,12]");
    assertThat(checkout.getAsJsonObject("lines").get("cpu").toString())
        .isEqualTo("[30000000,20000000]");
    assertThat(checkout.getAsJsonObject("tree").getAsJsonArray("cpu"))
        .as("both lines of work are one frame")
        .hasSize(3);
  }

  @Test
  void lines_ofAllocation_areOfTheMethodAboveTheClass() throws IOException {
    ProfileData profile =
        new ProfileData()
            .type("alloc_space", "bytes")
            .kinds(Map.of("byte[]", "class"))
            .lines(Map.of("read", 7, "read ", 9))
            .value(traceId(3), spanId(3), 1_000, List.of("main", "read", "byte[]"))
            .value(traceId(3), spanId(3), 5_000, List.of("main", "read ", "byte[]"))
            .value(traceId(3), spanId(3), 2_000, List.of("byte[]"));

    JoinRun run = JoinRun.of(directory, CollectorFiles.json(Example.shop(), profile.build()));

    JsonObject lines = run.endpoint("GET /search").getAsJsonObject("lines");
    assertThat(lines.get("line").toString()).isEqualTo("[9,7]");
    assertThat(lines.get("allocated").toString()).isEqualTo("[5000,1000]");
  }

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
  void service_thatCallsItselfWithoutFlags_hasTwoRequests() throws IOException {
    TraceData traces =
        new TraceData("shop")
            .span(traceId(1), spanId(1), NONE, FLAGS_UNKNOWN, "GET /outer", START, START + MS)
            .span(traceId(1), spanId(2), spanId(1), FLAGS_UNKNOWN, "call", START, START + MS)
            .kind(Span.SpanKind.SPAN_KIND_CLIENT)
            .span(traceId(1), spanId(3), spanId(2), FLAGS_UNKNOWN, "GET /inner", START, START + MS)
            .kind(Span.SpanKind.SPAN_KIND_SERVER);

    JoinRun run = JoinRun.of(directory, CollectorFiles.json(traces.build()), profile(1, 3));

    assertThat(run.samplesOf("GET /inner")).isPositive();
    assertThat(run.samplesOf("GET /outer")).isZero();
  }

  @Test
  void names_withHalfAPairOfCharacters_areWrittenAllTheSame() throws IOException {
    String name = "x".repeat(499) + "\ud83d\ude00";
    byte[] traces =
        CollectorFiles.json(new TraceData(name).root(1, name, START, START + MS).build());

    JoinRun run = JoinRun.of(directory, traces, profile(1, 1));

    assertThat(run.status()).isZero();
    assertThat(namesOfEndpoints(run))
        .singleElement()
        .asString()
        .startsWith("x".repeat(499) + "… #");
  }

  @Test
  void names_thatDifferAfterWhereTheyAreCut_stayDistinct() throws IOException {
    String name = "x".repeat(600);
    byte[] traces =
        CollectorFiles.json(
            new TraceData("shop")
                .root(1, name + "Aa", START, START + MS)
                .root(2, name + "BB", START, START + MS)
                .build());

    JoinRun run = JoinRun.of(directory, traces, profile(1, 1));

    assertThat(namesOfEndpoints(run)).hasSize(2).doesNotHaveDuplicates();
  }

  private static List<String> namesOfEndpoints(JoinRun run) throws IOException {
    return run.data().getAsJsonArray("endpoints").asList().stream()
        .map(endpoint -> endpoint.getAsJsonObject().get("name").getAsString())
        .toList();
  }

  @Test
  void stackTraceIds_moreThanSamples_areToldAndNoFailure() throws IOException {
    byte[] traces =
        CollectorFiles.json(
            new TraceData("shop").root(1, "GET /", START, START + MS).stackTraceIds(3).build());

    JoinRun run = JoinRun.of(directory, traces, profile(1, 1));

    assertThat(run.status()).isZero();
    assertThat(run.lines())
        .contains("differ: 0 of 1 spans with stack trace ids have as many samples");
  }

  @Test
  void samples_ofCurrentSpansAndOfLocalRoots_countForTheRequestAndForTheSpanItself()
      throws IOException {
    byte[] traces = CollectorFiles.json(Example.shop());
    byte[] profiles =
        CollectorFiles.json(
            new ProfileData()
                .sample(traceId(1), spanId(Example.INNER_SPAN), START, 5, STACK)
                .sample(traceId(1), spanId(1), START, 1, List.of("main", "render"))
                .build());

    JoinRun run = JoinRun.of(directory, traces, profiles);

    assertThat(run.status()).isZero();
    assertThat(run.samplesOf("GET /checkout")).isEqualTo(6);
    assertThat(run.lines())
        .as("ids are those of the whole request")
        .contains("differ: 1 of 2 spans with stack trace ids have as many samples");
    JsonObject request = run.traceOf("GET /checkout");
    assertThat(request.getAsJsonObject("tree").getAsJsonArray("samples").get(0).getAsLong())
        .isEqualTo(6);
    assertThat(request.getAsJsonArray("spans"))
        .extracting(
            span -> span.getAsJsonObject().get("name").getAsString(),
            span -> span.getAsJsonObject().getAsJsonObject("tally").get("samples").getAsLong(),
            span ->
                span.getAsJsonObject()
                    .getAsJsonObject("tree")
                    .getAsJsonArray("samples")
                    .get(0)
                    .getAsLong())
        .containsExactly(tuple("GET /checkout", 1L, 1L), tuple("price", 5L, 5L));
  }

  @Test
  void link_toASpanWhoseLocalRootWasNotReceived_isCounted() throws IOException {
    byte[] inner =
        CollectorFiles.json(
            new TraceData("shop")
                .span(traceId(1), spanId(2), spanId(9), LOCAL_PARENT, "inner", START, START)
                .build());

    assertThat(JoinRun.of(directory, inner, profile(1, 2)).unjoined("local root not received"))
        .isEqualTo(1);
  }

  @Test
  void link_toASpanOfACycle_isCounted() throws IOException {
    byte[] cycle =
        CollectorFiles.json(
            new TraceData("shop")
                .span(traceId(1), spanId(2), spanId(3), FLAGS_UNKNOWN, "a", START, START)
                .span(traceId(1), spanId(3), spanId(2), FLAGS_UNKNOWN, "b", START, START)
                .build());

    assertThat(JoinRun.of(directory, cycle, profile(1, 2)).unjoined("local root not received"))
        .isEqualTo(1);
  }

  @Test
  void link_toASpanThatWasNotReceived_isCounted() throws IOException {
    JoinRun run = JoinRun.of(directory, CollectorFiles.json(Example.shop()), profile(77, 77));

    assertThat(run.unjoined("span not received")).isEqualTo(1);
  }

  @Test
  void span_withoutFlagsBelowAnotherService_isALocalRoot() throws IOException {
    byte[] shop = CollectorFiles.json(new TraceData("shop").root(1, "GET /", START, START).build());
    byte[] store = CollectorFiles.json(child("store").build());

    assertThat(JoinRun.of(directory, shop, store, profile(1, 2)).samplesOf("child")).isEqualTo(1);
  }

  @Test
  void span_withoutFlagsBelowTheSameService_countsForThatOne() throws IOException {
    byte[] shop = CollectorFiles.json(new TraceData("shop").root(1, "GET /", START, START).build());
    byte[] child = CollectorFiles.json(child("shop").build());

    assertThat(JoinRun.of(directory, shop, child, profile(1, 2)).samplesOf("GET /")).isEqualTo(1);
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
    assertThat(search.get("neither").getAsLong()).isEqualTo((50 - 10 - 25) * MS);
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
    assertThat(search.get("neither").getAsLong()).as("not less by locks").isEqualTo(50 * MS);
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
        .contains("| waiting s | allocated MB | locks s |", "| 0.000 | 1.000 | 0.030 |");
  }

  @Test
  void frames_withoutFunction_areShownAsTheirFile() throws IOException {
    ProfilesDictionary.Builder dictionary =
        profileOf(Sample.newBuilder()).getDictionary().toBuilder();
    int file = dictionary.addStringTable("/usr/lib/libnative.so").getStringTableCount() - 1;
    dictionary.addMappingTable(Mapping.newBuilder().setFilenameStrindex(file));
    int first = dictionary.getLocationTableCount();
    for (int address = 1; address <= 2; address++) {
      dictionary.addLocationTable(Location.newBuilder().setMappingIndex(1).setAddress(address));
    }
    Stack.Builder stack =
        Stack.newBuilder().addLocationIndices(first + 1).addLocationIndices(first);
    int index = dictionary.addStackTable(stack).getStackTableCount() - 1;
    Sample.Builder sample = Sample.newBuilder().setStackIndex(index).addTimestampsUnixNano(START);

    JsonObject data =
        JoinRun.of(
                directory,
                CollectorFiles.json(Example.shop()),
                CollectorFiles.json(
                    profileOf(sample.setLinkIndex(1)).toBuilder()
                        .setDictionary(dictionary)
                        .build()))
            .data();

    assertThat(data.getAsJsonArray("frames"))
        .extracting(frame -> frame.getAsJsonArray().get(0).getAsString())
        .containsOnlyOnce("[libnative.so]");
    assertThat(
            data.getAsJsonArray("endpoints")
                .get(0)
                .getAsJsonObject()
                .getAsJsonObject("tree")
                .getAsJsonArray("frame"))
        .hasSize(2);
  }

  /** A profile whose first Link names span 3. */
  private static ProfilesData profileOf(Sample.Builder sample) {
    ProfileData profile = new ProfileData().sample(sample.build());
    profile.link(traceId(3), spanId(3));
    return profile.build();
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

  private static TraceData child(String service) {
    return new TraceData(service)
        .span(traceId(1), spanId(2), spanId(1), FLAGS_UNKNOWN, "child", START, START);
  }
}
