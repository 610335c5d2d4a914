/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Sample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** If a file or message is wrong, a line reports it and the others are joined. */
class BadInputTest {
  private static final Message[] ALL = {
    Example.shopProfile(), Example.shop(), Example.storeProfile(), Example.store()
  };
  private static final List<String> STACK = List.of("main", "work");

  @TempDir Path directory;

  @Test
  void jsonLine_cutOff_isLeftOut() throws IOException {
    byte[] line = CollectorFiles.json(Example.shopProfile());

    assertRest(with(Arrays.copyOf(line, line.length / 2)), "cut off", "line 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[1]", "null", "\"text\"", "7", "}", "[{\"resourceSpans\":[]}]", "{\"a\""})
  void jsonLine_thatIsNoMessage_isLeftOutAlone(String line) throws IOException {
    String more = CollectorFiles.jsonLine(searchProfile());

    JoinRun run = with(text("{}\n" + line + "\n" + more + "\n"));

    assertRest(run, "line 2");
    assertThat(run.samplesOf("GET /search")).isEqualTo(1);
  }

  @Test
  void jsonLine_withBytesThatAreNotUtf8_isReadWithoutThem() throws IOException {
    byte[] line = CollectorFiles.json(searchProfile());
    line[new String(line, StandardCharsets.ISO_8859_1).indexOf("work")] = (byte) 0xff;

    JoinRun run = with(line);

    assertThat(run.notes()).isEmpty();
    assertThat(run.samplesOf("GET /search")).isEqualTo(1);
    assertThat(Files.readString(run.page())).contains("\ufffdork");
  }

  @Test
  void jsonValues_severalOnALineOrSpread_areAllRead() throws IOException {
    String one = CollectorFiles.jsonLine(searchProfile());
    String spread =
        new GsonBuilder().setPrettyPrinting().create().toJson(JsonParser.parseString(one));

    JoinRun run = with(text(one + one + " " + one + "\n" + spread + "\n" + spread + one));

    assertThat(run.notes()).isEmpty();
    assertThat(run.samplesOf("GET /search")).isEqualTo(6);
  }

  @Test
  void jsonValue_spreadAndCut_losesOnlyItself() throws IOException {
    String one = CollectorFiles.jsonLine(searchProfile());
    String spread =
        new GsonBuilder().setPrettyPrinting().create().toJson(JsonParser.parseString(one));
    String cut = spread.substring(0, spread.length() / 2);

    JoinRun run = with(text(spread + "\n" + cut + "\n" + spread + "\n" + cut + "\n" + one));

    assertRest(run, "cut off", "is not whole");
    assertThat(run.samplesOf("GET /search")).isEqualTo(3);
  }

  @Test
  void gzip_cutOff_keepsAllWholeLinesBefore() throws IOException {
    String line = CollectorFiles.jsonLine(searchProfile());
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    GZIPOutputStream gzip = new GZIPOutputStream(whole, true);
    for (int i = 0; i < 50; i++) {
      gzip.write(text(line + "\n"));
    }
    gzip.flush(); // ends a block of the compression after a whole line

    JoinRun run = with(whole.toByteArray());

    assertRest(run, "cut off", "the 50 lines before were read");
    assertThat(run.samplesOf("GET /search")).isEqualTo(50);
  }

  @Test
  void file_namedTwice_isReadOnce() throws IOException {
    Path file = Files.write(directory.resolve("all"), CollectorFiles.json(ALL));
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);

    JoinRun run =
        JoinRun.with(
            directory.resolve("out"),
            file.toString(),
            directory.resolve("./all").toString(),
            link.toString());

    assertRest(run, "file named twice", "read once");
    assertThat(run.samplesOf("GET /checkout")).isEqualTo(7);
  }

  @Test
  void profile_withAKnownId_countsOnce() throws IOException {
    ProfilesData.Builder profile = searchProfile().toBuilder();
    profile
        .getResourceProfilesBuilder(0)
        .getScopeProfilesBuilder(0)
        .getProfilesBuilder(0)
        .setProfileId(ByteString.copyFrom(traceId(42)));

    JoinRun run = with(CollectorFiles.json(profile.build(), profile.build()));

    assertRest(run, "profile received twice", "left out");
    assertThat(run.samplesOf("GET /search")).isEqualTo(1);
  }

  @Test
  void profiles_withTheSameIdAndOtherSamples_allCount() throws IOException {
    ProfilesData.Builder profile = searchProfile().toBuilder();
    Profile.Builder only =
        profile.getResourceProfilesBuilder(0).getScopeProfilesBuilder(0).getProfilesBuilder(0);
    only.setProfileId(ByteString.copyFrom(traceId(42)));
    ProfilesData one = profile.build();
    long time = only.getSamples(0).getTimestampsUnixNano(0);
    only.getSamplesBuilder(0).setTimestampsUnixNano(0, time + 1);

    JoinRun run = with(CollectorFiles.json(one, profile.build()));

    assertThat(run.samplesOf("GET /search")).isEqualTo(2);
  }

  @Test
  void time_ofAWrongClock_doesNotStretchTheChart() throws IOException {
    ProfileData profile = new ProfileData();
    profile.sample(traceId(3), spanId(3), 86_400_000 * MS, 1, STACK);

    JoinRun run = with(CollectorFiles.json(profile.build()));

    assertRest(run, "time far from all others", "1970-01-02T00:00:00Z");
    JsonObject chart = run.data().getAsJsonObject("overTime");
    assertThat(chart.get("width").getAsLong()).isEqualTo(1);
    assertThat(chart.get("outside").getAsLong()).isEqualTo(ProfileData.PERIOD_NANOS);
  }

  @Test
  void output_thatIsAFile_isNamedWithTheReason() throws IOException {
    Path file = Files.write(directory.resolve("all"), CollectorFiles.json(ALL));

    JoinRun run = JoinRun.with(file, file.toString());

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.lines()).containsExactly(file + ": it exists and is not a directory");
  }

  private static ProfilesData searchProfile() {
    return new ProfileData().sample(traceId(3), spanId(3), START, 1, STACK).build();
  }

  @Test
  void gzip_cutOff_losesOnlyItsEnd() throws IOException {
    byte[] lines = CollectorFiles.gzip(CollectorFiles.json(Example.shopProfile()));

    assertRest(with(Arrays.copyOf(lines, lines.length / 2)), "cut off", "compressed");
  }

  @Test
  void protobuf_cutOff_losesOnlyTheLastMessage() throws IOException {
    byte[] whole = CollectorFiles.protobuf(ALL);
    byte[] further = CollectorFiles.protobuf(Example.shopProfile());
    byte[] cut = Arrays.copyOf(whole, whole.length + further.length / 2);
    System.arraycopy(further, 0, cut, whole.length, further.length / 2);

    assertRest(JoinRun.of(directory, cut), "cut off", "message 5");
  }

  @Test
  void bareProtobuf_cutOff_isLeftOut() throws IOException {
    byte[] message = Example.shop().toByteArray();

    assertRest(with(Arrays.copyOf(message, message.length - 7)), "cut off");
  }

  @Test
  void file_ofAnotherProgram_isNamedWithItsFirstByte() throws IOException {
    assertRest(with("PNG or so".getBytes(StandardCharsets.UTF_8)), "not read", "0x50");
  }

  @Test
  void file_compressedWithZstd_isNamedWithARemedy() throws IOException {
    assertRest(with(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd}), "not read", "zstd");
  }

  @Test
  void file_empty_isNamed() throws IOException {
    assertRest(with(new byte[0]), "not read", "is empty");
  }

  @Test
  void json_ofAnotherSignal_isLeftOut() throws IOException {
    assertRest(with(text("{\"resourceLogs\":[]}")), "not read", "neither resourceSpans nor");
  }

  @Test
  void json_ofAnotherShape_isLeftOut() throws IOException {
    assertRest(with(text("{\"resourceSpans\":7}")), "not read", "not OTLP JSON");
  }

  @Test
  void protobuf_ofLogs_hasNoSpans() throws IOException {
    // A log record begins with a time of 8 bytes: resource_logs, scope_logs, log_records.
    byte[] logs = {0x0a, 0x0d, 0x12, 0x0b, 0x12, 0x09, 0x09, 1, 2, 3, 4, 5, 6, 7, 8};

    assertRest(with(logs), "not a span");
  }

  @Test
  void profiles_ofAVersionWithoutStacks_areLeftOut() throws IOException {
    Message old =
        Example.shopProfile().toBuilder()
            .setDictionary(Example.shopProfile().getDictionary().toBuilder().clearStackTable())
            .build();

    assertRest(with(CollectorFiles.protobuf(old)), "another version", "no table of stacks");
  }

  @Test
  void profiles_withAFieldThatIsNotKnown_areReadWithoutIt() throws IOException {
    String newer =
        CollectorFiles.jsonLine(
                new ProfileData().sample(traceId(3), spanId(3), START, 1, STACK).build())
            .replaceFirst("\"samples\":", "\"future\":{},\"samples\":");

    JoinRun run = with(text(newer));

    assertRest(run, "another version of OTLP", "future");
    assertThat(run.samplesOf("GET /search")).isEqualTo(1);
  }

  @Test
  void sample_thatRefersToNothing_isLeftOutAlone() throws IOException {
    ProfileData profile =
        new ProfileData()
            .sample(Sample.newBuilder().setStackIndex(99).addTimestampsUnixNano(1).build())
            .sample(traceId(3), spanId(3), START, 1, STACK);

    JoinRun run = with(CollectorFiles.protobuf(profile.build()));

    assertRest(run, "another version", "with a reference outside its tables");
    assertThat(run.samplesOf("GET /search")).isEqualTo(1);
  }

  @Test
  void samples_whoseFunctionIsMissing_areAllLeftOut() throws IOException {
    ProfilesData.Builder profile =
        new ProfileData()
                .sample(traceId(3), spanId(3), START, 1, List.of("f"))
                .sample(traceId(3), spanId(3), START + MS, 1, List.of("f"))
                .build()
                .toBuilder();
    profile.getDictionaryBuilder().clearFunctionTable();

    JoinRun run = with(CollectorFiles.protobuf(profile.build()));

    assertRest(run, "with a reference outside its tables");
    assertThat(run.samplesOf("GET /search")).isZero();
  }

  @Test
  void profile_withoutAPeriod_isCountedWithoutCpuTime() throws IOException {
    ProfileData profile =
        new ProfileData().period("", "", 0).sample(traceId(3), spanId(3), START, 1, STACK);

    JoinRun run = with(CollectorFiles.protobuf(profile.build()));

    assertRest(run, "samples without a period", "1, first in", "let the profiler send period");
    assertThat(run.samplesOf("GET /search")).isZero();
    assertThat(run.unjoined("neither CPU nor waiting")).isEqualTo(1);
  }

  @Test
  void profile_withoutAnything_isNoProblem() throws IOException {
    Message nothing =
        Example.shopProfile().toBuilder()
            .setDictionary(ProfilesDictionary.getDefaultInstance())
            .clearResourceProfiles()
            .build();

    assertThat(with(CollectorFiles.json(nothing)).status()).isZero();
  }

  @Test
  void clocks_thatDiffer_doNotMatterToTheJoin() throws IOException {
    long hour = 3_600_000 * MS;
    ProfileData profile = new ProfileData().sample(traceId(3), spanId(3), START + hour, 1, STACK);

    JoinRun run = with(CollectorFiles.protobuf(profile.build()));

    assertRest(run, "clocks differ", "3599.950 s later than its end");
    assertThat(run.samplesOf("GET /search")).isEqualTo(1);
  }

  @Test
  void spans_thatArriveTwice_countOnce() throws IOException {
    JoinRun run = with(CollectorFiles.json(Example.shop()));

    assertRest(run, "span received twice", "left out");
    assertThat(run.endpoint("GET /checkout").get("requests").getAsInt()).isEqualTo(2);
  }

  @Test
  void link_toASpanOfAnotherService_isJoinedAndTold() throws IOException {
    ProfileData profile =
        new ProfileData().service("store").sample(traceId(3), spanId(3), START, 1, STACK);

    JoinRun run = with(CollectorFiles.protobuf(profile.build()));

    assertRest(run, "Link to a span of another service", "profile of store");
    assertThat(run.samplesOf("GET /search")).isEqualTo(1);
  }

  @Test
  void names_withMarkup_stayDataInThePage() throws IOException {
    String evil = "</script><script>document.title='evil'</script><img src=x onerror=alert(1)>";
    TraceData traces = new TraceData(evil).root(9, evil, START, START + MS);
    ProfileData profile =
        new ProfileData().sample(traceId(9), spanId(9), START, 1, List.of(evil, evil));

    JoinRun run = with(CollectorFiles.json(traces.build(), profile.build()));

    assertThat(run.samplesOf(evil)).isEqualTo(1);
    assertThat(Files.readString(run.page())).doesNotContain(evil).doesNotContain("<img");
  }

  @Test
  void problems_manyOfAKind_areCountedAndNotAllListed() throws IOException {
    JoinRun run = with(text("{}\n".repeat(1000)));

    assertThat(run.notes()).hasSizeLessThan(10).anyMatch(line -> line.contains("more"));
  }

  @Test
  void argument_thatDoesNotExist_endsWithItsName() {
    JoinRun run = JoinRun.of(directory.resolve("nowhere"));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.lines()).anyMatch(line -> line.contains("nowhere does not exist"));
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private JoinRun with(byte[]... bad) throws IOException {
    byte[][] files = new byte[bad.length + 1][];
    files[0] = CollectorFiles.json(ALL);
    System.arraycopy(bad, 0, files, 1, bad.length);
    return JoinRun.of(directory, files);
  }

  private static void assertRest(JoinRun run, String... told) throws IOException {
    assertThat(run.status()).isZero();
    assertThat(run.notes()).anySatisfy(note -> assertThat(note).contains(told));
    assertThat(run.samplesOf("GET /checkout")).isGreaterThanOrEqualTo(7);
    assertThat(run.samplesOf("reserve")).isGreaterThanOrEqualTo(3);
    assertThat(run.lines())
        .contains("ok: samples and CPU time received are those on the page and those by reason");
  }
}
