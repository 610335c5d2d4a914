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

import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.Sample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only what is known of the samples of other producers is counted, and the rest is told. */
class OtherProducersTest {
  private static final List<String> STACK = List.of("main", "find");

  @TempDir Path directory;

  private JoinRun run(ProfilesData... profiles) throws IOException {
    byte[][] files = new byte[profiles.length + 1][];
    files[0] = CollectorFiles.json(Example.shop());
    for (int i = 0; i < profiles.length; i++) {
      files[i + 1] = CollectorFiles.protobuf(profiles[i]);
    }
    JoinRun run = JoinRun.of(directory, files);
    assertThat(run.status()).as(String.join("\n", run.lines())).isZero();
    return run;
  }

  private static ProfileData search(String type, String unit, long value) {
    return new ProfileData().type(type, unit).value(traceId(3), spanId(3), value, STACK);
  }

  private static JsonObject tally(JoinRun run) throws IOException {
    return run.endpoint("GET /search").getAsJsonObject("tally");
  }

  @Test
  void probes_ofTheEbpfProfiler_areNoCpuTime() throws IOException {
    JoinRun run = run(search("events", "count", 5).period("", "", 0).build());

    assertThat(tally(run).get("cpu").getAsLong()).isZero();
    assertThat(run.unjoined("neither CPU nor waiting")).isEqualTo(5);
    assertThat(run.notes())
        .anyMatch(note -> note.contains("events/count") && note.contains("1, first in"));
  }

  @Test
  void offCpu_ofTheEbpfProfiler_isWaitingByItsNameOf2025AndOfToday() throws IOException {
    for (String type : List.of("events", "off_cpu")) {
      JoinRun run = run(search(type, "nanoseconds", 20 * MS).period("", "", 0).build());

      assertThat(tally(run).get("cpu").getAsLong()).as(type).isZero();
      assertThat(tally(run).get("waiting").getAsLong()).as(type).isEqualTo(20 * MS);
    }
  }

  @Test
  void units_thatAreNotKnown_areNoCpuTime() throws IOException {
    JoinRun run = run(search("cpu", "cycles", 5).build(), search("cpu", "bytes", 5).build());

    assertThat(tally(run).get("cpu").getAsLong()).isZero();
    assertThat(run.notes()).anyMatch(note -> note.contains("cpu/cycles"));
  }

  @Test
  void pprof_translatedWithBothItsMeasures_countsOnce() throws IOException {
    ProfilesData counted = search("samples", "count", 2).build();
    ProfilesData timed = search("cpu", "nanoseconds", 23 * MS).build();
    ProfilesData.Builder both = timed.toBuilder();
    int unit = strings(both, "count");
    both.getResourceProfilesBuilder(0)
        .getScopeProfilesBuilder(0)
        .addProfiles(0, profile(counted, strings(both, "samples"), unit));

    JoinRun run = run(both.build());

    assertThat(tally(run).get("cpu").getAsLong()).isEqualTo(23 * MS);
    assertThat(run.notes()).anyMatch(note -> note.contains("another profile of the message"));
  }

  private static int strings(ProfilesData.Builder data, String text) {
    data.getDictionaryBuilder().addStringTable(text);
    return data.getDictionary().getStringTableCount() - 1;
  }

  private static Profile profile(ProfilesData data, int type, int unit) {
    Profile.Builder profile =
        data.getResourceProfiles(0).getScopeProfiles(0).getProfiles(0).toBuilder();
    profile.getSampleTypeBuilder().setTypeStrindex(type).setUnitStrindex(unit);
    return profile.build();
  }

  @Test
  void heap_sinceTheProcessBegan_isNoAllocation() throws IOException {
    ProfilesData.Builder heap =
        search("alloc_space", "bytes", 1_000)
            .period("space", "bytes", 512 * 1024)
            .build()
            .toBuilder();

    JoinRun run = run(heap.build(), search("alloc_space", "bytes", 77).build());

    assertThat(tally(run).get("allocated").getAsLong()).isEqualTo(77);
    assertThat(run.notes()).anyMatch(note -> note.contains("since the process began"));
  }

  /** Values had number 2, attributes 3 and the Link 4. */
  @Test
  void samples_ofVersion1_9InBinaryForm_areLeftOutAndCounted() throws IOException {
    ProfileData profile = new ProfileData().sample(traceId(3), spanId(3), START, 1, STACK);
    Sample sample =
        Sample.newBuilder()
            .setStackIndex(1)
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(
                        2,
                        Field.newBuilder()
                            .addLengthDelimited(ByteString.copyFrom(new byte[] {1}))
                            .build())
                    .addField(4, Field.newBuilder().addVarint(1).build())
                    .build())
            .build();
    ProfilesData.Builder old = profile.build().toBuilder();
    old.getResourceProfilesBuilder(0)
        .getScopeProfilesBuilder(0)
        .getProfilesBuilder(0)
        .clearSamples()
        .addSamples(sample);

    JoinRun run = run(old.build());

    assertThat(tally(run).get("samples").getAsLong()).isZero();
    assertThat(run.notes())
        .anyMatch(note -> note.contains("before version 1.10") && note.contains("1, first in"));
  }

  @Test
  void samples_withoutATime_areNotInTheChart() throws IOException {
    ProfilesData untimed =
        new ProfileData().value(traceId(3), spanId(3), 4, STACK).time(START + 1_000 * MS).build();
    ProfilesData timed = new ProfileData().sample(traceId(1), spanId(1), START, 2, STACK).build();

    JoinRun run = run(untimed, timed);

    assertThat(tally(run).get("cpu").getAsLong()).isEqualTo(40 * MS);
    JsonObject chart = run.data().getAsJsonObject("overTime");
    assertThat(chart.get("series").toString()).contains("[20000000]").doesNotContain("40000000");
    assertThat(run.notes()).anyMatch(note -> note.contains("samples without a time: 1, first"));
  }

  @Test
  void values_thatCannotBe_costThemselvesOnly() throws IOException {
    JoinRun run =
        run(
            search("cpu", "nanoseconds", 20 * MS)
                .value(traceId(3), spanId(3), -10 * MS, STACK)
                .value(traceId(3), spanId(3), 56L * 366 * 86_400 * 1_000 * MS, STACK)
                .build());

    assertThat(tally(run).get("cpu").getAsLong()).isEqualTo(20 * MS);
    assertThat(run.notes()).anyMatch(note -> note.contains("cannot be: 2, first in"));
  }

  @Test
  void spans_ofOpenTelemetryJava1_46_areRead() throws IOException {
    String traces =
        CollectorFiles.jsonLine(Example.shop())
            .replaceFirst("\"name\"", "\"droppedAttributesCount\":-1,\"name\"")
            .replaceFirst("\"name\"", "\"kind\":\"SPAN_KIND_FUTURE\",\"name\"")
            .replaceFirst(
                "\"name\"", "\"droppedEventsCount\":99999999999999999999,\"events\":7,\"name\"");
    byte[] profile =
        CollectorFiles.json(
            new ProfileData().sample(traceId(3), spanId(3), START, 1, STACK).build());

    JoinRun run = JoinRun.of(directory, traces.getBytes(UTF_8), profile);

    assertThat(run.lines()).anyMatch(line -> line.startsWith("2 files, 4 spans, 2 endpoints"));
    assertThat(tally(run).get("samples").getAsLong()).isEqualTo(1);
  }

  @Test
  void span_withoutAStart_doesNotLast56Years() throws IOException {
    byte[] traces =
        CollectorFiles.json(
            new TraceData("shop")
                .root(1, "GET /", 0, START)
                .root(2, "GET /", START, START + 30 * MS)
                .root(3, "GET /", START, START - MS)
                .build());

    JoinRun run =
        JoinRun.of(
            directory,
            traces,
            CollectorFiles.json(
                new ProfileData().sample(traceId(1), spanId(1), START, 1, STACK).build()));

    assertThat(run.endpoint("GET /").get("requests").getAsLong()).isEqualTo(3);
    assertThat(run.endpoint("GET /").get("mean").getAsLong()).isEqualTo(30 * MS);
    assertThat(run.endpoint("GET /").get("p99").getAsLong()).isEqualTo(30 * MS);
    assertThat(run.notes()).anyMatch(note -> note.contains("without a start or an end"));
  }

  @Test
  void json_behindBlankLinesOrAMark_isRead() throws IOException {
    String traces = CollectorFiles.jsonLine(Example.shop());
    byte[] profile =
        CollectorFiles.json(
            new ProfileData().sample(traceId(3), spanId(3), START, 1, STACK).build());

    for (String before : List.of("\n\n", "\r\n  ", "\ufeff", "\ufeff\n")) {
      JoinRun run =
          JoinRun.of(
              directory.resolve("of" + before.hashCode()),
              (before + traces).getBytes(UTF_8),
              profile);
      assertThat(tally(run).get("samples").getAsLong()).isEqualTo(1);
    }
  }

  @Test
  void job_thatARequestStarted_isARowOfItsOwn() throws IOException {
    byte[] traces =
        CollectorFiles.json(
            new TraceData("shop")
                .root(1, "GET /start", START, START + 100 * MS)
                .root(2, "GET /", START, START + 100 * MS)
                .build());
    byte[] profile =
        CollectorFiles.json(
            new ProfileData()
                .service("shop")
                .sample(traceId(1), spanId(1), START + 50 * MS, 5, List.of("main", "start"))
                .sample(traceId(1), spanId(1), START + 101 * MS, 300, List.of("main", "job"))
                .sample(traceId(2), spanId(2), START, 2, STACK)
                .build());

    JoinRun run = JoinRun.of(directory, traces, profile);

    assertThat(run.samplesOf("GET /start")).isEqualTo(5);
    assertThat(run.unjoined("after the end of a request")).isEqualTo(300);
    assertThat(run.notes()).noneMatch(note -> note.contains("clocks"));
    assertThat(run.data().getAsJsonArray("threads").get(0).getAsJsonObject().get("name"))
        .hasToString("\"after the end of GET /start\"");
    String input = directory.resolve("input").toString();
    assertThat(ask(0, "endpoints", input)).contains("after the end of a request 3000.000 (97.7 %)");
    assertThat(ask(0, "methods", "--endpoint", "(no request)", input))
        .contains("| job | main | 3000.000");
    assertThat(run.lines())
        .anyMatch(line -> line.matches("after the end of a request +300 samples +3.000 s"));
  }

  @Test
  void locks_areWaiting() throws IOException {
    ProfilesData locks = search("lock", "nanoseconds", 45 * MS).build();
    JoinRun run = run(locks);

    assertThat(run.endpoint("GET /search").get("notKnown").getAsLong()).isEqualTo(5 * MS);
    assertThat(run.lines()).contains("not recorded: CPU time, waits, allocation");
    String input = directory.resolve("input").toString();
    assertThat(ask(0, "waiting", input)).contains("| GET /search | shop | 1 | 45.000 | 1 | 45.000");
    assertThat(ask(0, "waiting", "--endpoint", "GET /search", input))
        .contains("| a lock | 45.000 | 100.0 |", "| find | main | find | a lock | 45.000 |");
  }

  @Test
  void nothing_isOneLineAndStatus2() throws IOException {
    Path empty = Files.createDirectories(directory.resolve("empty"));
    Path pprof = directory.resolve("cpu.pb");
    Files.write(pprof, new byte[] {0x0a, 4, 8, 1, 16, 2, 0x32, 0, 0x32, 1, 'a'});
    Path logs = Files.writeString(directory.resolve("logs"), "{\"resourceLogs\":[]}\n");
    Path out = directory.resolve("out");

    for (Path input : List.of(empty, pprof, logs)) {
      JoinRun run = JoinRun.with(out, input.toString());
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.lines()).hasSize(1).first().asString().contains(input.toString());
      assertThat(out).doesNotExist();
      assertThat(ask(2, "endpoints", input.toString())).contains("no span and no sample in");
    }
    assertThat(ask(2, "endpoints", pprof.toString())).contains("is a file of pprof");
  }

  @Test
  void help_namesTheQuestions() {
    assertThat(ask(0, "--help")).contains("endpoints", "waiting", "mcp", "--clickhouse");
  }

  private static String ask(int status, String... arguments) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    assertThat(FlameGraphs.run(arguments, InputStream.nullInputStream(), out, out))
        .as(printed.toString(UTF_8))
        .isEqualTo(status);
    return printed.toString(UTF_8);
  }
}
