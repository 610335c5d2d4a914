/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Deployment.AFTER;
import static io.flamespan.page.Deployment.BEFORE;
import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The additions of a baseline to the files and to the printed lines. */
class BaselineTest {
  private static final String OK =
      "ok: samples and CPU time received are those on the page and those by reason";

  @TempDir Path directory;

  @Test
  void summaryJson_withABaseline_hasTheEndpointsThatChangedMostFirst() throws IOException {
    JsonObject summary = summary(compared(BEFORE, AFTER));

    assertThat(changes(summary))
        .extracting(
            change -> change.get("name").getAsString(),
            change -> change.get("change").getAsString(),
            change -> change.get("cpuNanosPerRequest").getAsLong(),
            change -> change.get("meanNanos").getAsLong())
        .containsExactly(
            tuple("GET /checkout", "both", 40 * MS, 90 * MS),
            tuple("GET /new", "new", 30 * MS, 0L),
            tuple("GET /old", "gone", -10 * MS, 0L),
            tuple("GET /search", "both", 0L, 0L));
    JsonObject checkout = changes(summary).get(0);
    assertThat(checkout.getAsJsonObject("baseline").get("cpuNanos").getAsLong())
        .isEqualTo(120 * MS);
    assertThat(checkout.getAsJsonObject("now").get("cpuNanos").getAsLong()).isEqualTo(140 * MS);
    assertThat(changes(summary).get(1).has("baseline")).isFalse();
    assertThat(changes(summary))
        .as("a ± that is unknown is not 0")
        .extracting(change -> change.has("cpuNanosPerRequestPlusMinus"))
        .containsExactly(true, false, false, true);
    assertThat(
            summary
                .getAsJsonObject("comparison")
                .getAsJsonObject("baseline")
                .getAsJsonObject("received")
                .get("samples")
                .getAsLong())
        .isEqualTo(15);
  }

  @Test
  void summaryMarkdown_withABaseline_hasATableOfBoth() throws IOException {
    JoinRun run = compared(BEFORE, AFTER);

    // 26 samples of 10 ms in 6 requests, 26 of the 36 that are judged: z(5 % · 26 / 36) = 2.096.
    assertThat(Files.readAllLines(run.output().resolve("summary.md")))
        .contains(
            "| GET /checkout | shop |  | 4 | 2 | 30.000 | 70.000 | +40.000 | 41.395 | 100.0 | 190.0"
                + " | +90.0 |",
            "| GET /new | shop | new | – | 1 | – | 30.000 | +30.000 | unknown | – | 40.0 | – |",
            "| GET /old | shop | gone | 1 | – | 10.000 | – | -10.000 | unknown | 20.0 | – | – |",
            "| samples of the baseline | CPU s | waiting s |",
            "| received | 0.150 | 0.000 |");
  }

  @Test
  void sums_ofBothSets_areCheckedAndPrinted() throws IOException {
    ProfileData withoutLink = new ProfileData();
    withoutLink.threadSample("GC", START, 7, List.of("main"));
    Path before = directory.resolve("before");
    Path after = directory.resolve("after");
    write(before, Deployment.file(BEFORE), CollectorFiles.json(withoutLink.build()));
    write(after, Deployment.file(AFTER));

    JoinRun run = run(before, after);

    assertThat(run.status()).isZero();
    List<String> ofBaseline =
        run.lines().subList(run.lines().indexOf("baseline:"), run.lines().size());
    assertThat(run.lines()).filteredOn(OK::equals).hasSize(2);
    assertThat(ofBaseline)
        .contains("2 files, 7 spans, 3 endpoints", OK)
        .anyMatch(line -> line.matches("received +22 samples +0.220 s"))
        .anyMatch(line -> line.matches("on the page +15 samples +0.150 s"))
        .anyMatch(line -> line.matches("no Link +7 samples +0.070 s"));
  }

  @Test
  void endpoints_moreThanThePageHolds_areSummedUpAndTheSumsAgree() throws IOException {
    List<Deployment.Served> many =
        IntStream.range(0, 230)
            .mapToObj(
                number ->
                    new Deployment.Served("GET /" + number, 0, 10, Map.of("work", number % 7 + 1)))
            .toList();

    JoinRun run = compared(many, AFTER);

    assertThat(run.status()).isZero();
    JsonObject others = run.data().getAsJsonObject("comparison").getAsJsonObject("others");
    assertThat(run.data().getAsJsonObject("comparison").getAsJsonArray("endpoints")).hasSize(200);
    assertThat(others.get("endpoints").getAsInt()).isEqualTo(233 - 200);
    assertThat(summary(run).getAsJsonObject("comparison").getAsJsonArray("endpoints")).hasSize(233);
  }

  @Test
  void waits_ofTheBaseline_areCheckedAsCpuTimeIs() throws IOException {
    ProfileData waits =
        new ProfileData()
            .type("off_cpu", "nanoseconds")
            .value(traceId(1), spanId(1), 30 * MS, List.of("main", "park"));
    Path before = directory.resolve("before");
    Path after = directory.resolve("after");
    write(before, Deployment.file(BEFORE), CollectorFiles.json(waits.build()));
    write(after, Deployment.file(AFTER));

    JoinRun run = run(before, after);

    assertThat(run.status()).isZero();
    JsonObject slices = slicesOfComparison(run);
    assertThat(slices.get("bin").toString()).isEqualTo("[0,0,0,1,1,1]");
    assertThat(slices.get("waiting").toString()).isEqualTo("[0,0,30000000,0,0,0]");
    assertThat(slices.get("waits").toString()).isEqualTo("[0,0,1,0,0,0]");
    // 30 ms of one of six requests: the variance is 5/6 of 30 ms, the third moment 4/6 of that.
    JsonObject spread = checkoutOfComparison(run).getAsJsonObject("spread");
    assertThat(spread.getAsJsonObject("waiting").get("whole").toString())
        .isEqualTo("[25000000,20000000]");
    assertThat(run.data().getAsJsonObject("received").has("waits")).isFalse();
  }

  @Test
  void comparison_withCpuTimeOnly_hasNoOtherKind() throws IOException {
    assertThat(slicesOfComparison(compared(BEFORE, AFTER)).keySet())
        .containsExactly(
            "requests",
            "durations",
            "samples",
            "parent",
            "frame",
            "leftOut",
            "bin",
            "node",
            "cpu",
            "sampleNanos");
  }

  private static JsonObject slicesOfComparison(JoinRun run) throws IOException {
    return checkoutOfComparison(run).getAsJsonObject("slices");
  }

  private static JsonObject checkoutOfComparison(JoinRun run) throws IOException {
    return run.data()
        .getAsJsonObject("comparison")
        .getAsJsonArray("endpoints")
        .get(0)
        .getAsJsonObject();
  }

  @Test
  void baseline_withoutSamplesOrSpans_isComparedAllTheSame() throws IOException {
    Path after = directory.resolve("after");
    write(after, Deployment.file(AFTER));
    for (byte[] nothing : List.of(CollectorFiles.json(Example.shop()), new byte[0])) {
      Path before = directory.resolve("nothing");
      write(before, nothing);

      JoinRun run = run(before, after);

      assertThat(run.status()).isZero();
      assertThat(changes(summary(run)))
          .extracting(change -> change.get("name").getAsString())
          .contains("GET /checkout", "GET /new");
    }
  }

  @Test
  void notes_aboutTheBaseline_sayThatTheyAre() throws IOException {
    Path before = directory.resolve("before");
    Path after = directory.resolve("after");
    write(before, Deployment.file(BEFORE), "no OTLP".getBytes());
    write(after, Deployment.file(AFTER));

    assertThat(run(before, after).notes()).singleElement().asString().contains("note: baseline: ");
  }

  @Test
  void files_inBothSets_areRefusedByName() throws IOException {
    write(directory.resolve("all/before"), Deployment.file(BEFORE));

    JoinRun run = run(directory.resolve("all/before"), directory.resolve("all"));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.lines())
        .singleElement()
        .asString()
        .contains("file-0 is also in the baseline; a file must not be in both sets");
  }

  @Test
  void arguments_thatDoNotMakeTwoSets_areNamed() {
    assertRefused("--baseline needs a file or directory after it", "traces.json", "--baseline");
    assertRefused("--baseline needs a file or directory after it", "--baseline", "--out", "here");
    assertRefused("--baseline before needs files to compare it with", "--baseline", "before");
    assertRefused("nowhere does not exist", "--baseline", "nowhere", directory.toString());
  }

  private void assertRefused(String why, String... arguments) {
    JoinRun run = JoinRun.with(directory.resolve("out"), arguments);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.lines().get(0)).contains(why);
  }

  private static JsonObject summary(JoinRun run) throws IOException {
    return JsonParser.parseString(Files.readString(run.output().resolve("summary.json")))
        .getAsJsonObject();
  }

  private static List<JsonObject> changes(JsonObject summary) {
    return StreamSupport.stream(
            summary.getAsJsonObject("comparison").getAsJsonArray("endpoints").spliterator(), false)
        .map(JsonElement::getAsJsonObject)
        .toList();
  }

  private JoinRun compared(List<Deployment.Served> before, List<Deployment.Served> after)
      throws IOException {
    write(directory.resolve("before"), Deployment.file(before));
    write(directory.resolve("after"), Deployment.file(after));
    return run(directory.resolve("before"), directory.resolve("after"));
  }

  private JoinRun run(Path before, Path after) {
    return JoinRun.with(
        directory.resolve("out"), "--baseline", before.toString(), after.toString());
  }

  private static void write(Path folder, byte[]... files) throws IOException {
    Files.createDirectories(folder);
    for (int i = 0; i < files.length; i++) {
      Files.write(folder.resolve("file-" + i), files[i]);
    }
  }
}
