/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.FLAGS_UNKNOWN;
import static io.flamespan.page.TraceData.LOCAL_PARENT;
import static io.flamespan.page.TraceData.NONE;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.gson.JsonObject;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  void requests_thatAreNotSampled_areRowsOutsideRequests() throws IOException {
    ProfileData shop = new ProfileData().service("shop");
    shop.notSampled("GET /cart/17", "exec-1", START, 3, STACK);
    shop.notSampled("GET /cart/18", "exec-2", START, 4, List.of("main", "other"));
    shop.notSampled("unknown", "", START, 1, STACK);
    shop.threadSample("exec-1", START, 2, STACK);
    shop.sample(traceId(1), spanId(1), START, 5, STACK);

    JoinRun run = JoinRun.of(directory, CollectorFiles.json(Example.shop(), shop.build()));

    assertThat(run.data().getAsJsonArray("threads"))
        .extracting(
            thread -> thread.getAsJsonObject().get("name").getAsString(),
            thread -> thread.getAsJsonObject().getAsJsonObject("tally").get("samples").getAsLong())
        .containsExactly(
            tuple("not sampled: GET /cart/#", 7L),
            tuple("exec-#", 2L),
            tuple("not sampled: unknown", 1L));
    assertThat(run.data().getAsJsonArray("endpoints"))
        .extracting(endpoint -> endpoint.getAsJsonObject().get("name").getAsString())
        .noneMatch(name -> name.contains("/cart"));
    assertThat(run.samplesOf("GET /checkout")).isEqualTo(5);
    assertThat(run.endpoint("GET /checkout").get("requests").getAsInt()).isEqualTo(2);
    assertThat(run.unjoined("no Link")).isEqualTo(10);
    assertThat(run.lines())
        .contains("ok: samples and CPU time received are those on the page and those by reason");
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
