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

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files for pprof and speedscope; pprof comes with Go. */
@Tag("other-programs")
class OtherToolsTest {
  @TempDir Path directory;

  private JoinRun run;

  @BeforeEach
  void join() throws IOException {
    run =
        JoinRun.of(
            directory,
            CollectorFiles.json(
                Example.shopProfile(), Example.storeProfile(), Example.shop(), Example.store()));
  }

  @Test
  void pprof_ofAll_hasAllSamples() throws Exception {
    assertThat(pprof("-top", "-sample_index=samples"))
        .contains("Type: samples", "of 12 total", "tax", "lock", "idle");
  }

  @Test
  void pprof_withTagfocusOnASpanName_hasTheSamplesOfTheEndpoint() throws Exception {
    assertThat(pprof("-top", "-sample_index=samples", "-tagfocus=span name=GET /checkout"))
        .contains("accounting for 7,", "tax")
        .doesNotContain("lock");
  }

  @Test
  void pprof_withTagfocusOnATrace_hasTheSamplesOfTheTraceInBothServices() throws Exception {
    String trace = "000000000000feed0000000000000001";

    assertThat(pprof("-top", "-sample_index=cpu", "-tagfocus=trace id=" + trace))
        .contains("accounting for 90ms", "lock");
  }

  @Test
  void pprof_withTagfocusOnAThread_hasTheSamplesWithoutARequest() throws Exception {
    assertThat(
            pprof(
                "-top",
                "-sample_index=samples",
                "-tagfocus=thread name=(no name)".replace("(", "[(]").replace(")", "[)]")))
        .contains("accounting for 2,", "idle")
        .doesNotContain("tax");
  }

  @Test
  void pprof_asTags_listsSpanIds() throws Exception {
    assertThat(pprof("-tags")).contains("span id", "0000000000000064", "service name", "store");
  }

  /** A span whose samples are of several threads has no name of a thread. */
  @Test
  void pprof_asTags_hasThreadsAndPartsOfRequests() throws Exception {
    ProfileData cpu =
        new ProfileData()
            .service("shop")
            .timed(traceId(1), spanId(1), "exec-7", START, 1, List.of("main", "tax"))
            .timed(traceId(1), spanId(1), "exec-8", START + MS, 1, List.of("main", "render"))
            .timed(traceId(2), spanId(2), "worker", START, 1, List.of("main", "tax"))
            .timed(traceId(2), spanId(2), "exec-1", START + MS, 1, List.of("main", "tax"));
    ProfileData waits =
        new ProfileData()
            .service("shop")
            .type("off_cpu", "nanoseconds")
            .timed(traceId(1), spanId(1), "exec-7", START, 7 * MS, List.of("sun.nio.ch.Net.poll"))
            .timed(NONE, NONE, "idle", START, 9 * MS, List.of("java.lang.Thread.sleep"));
    run =
        JoinRun.of(
            directory.resolve("labels"),
            CollectorFiles.json(cpu.build(), waits.build(), Example.shop()));

    assertThat(pprof("-tags", "-sample_index=samples"))
        .containsPattern("part: Total 4.*\\n.*4 .*: onCpu")
        .containsPattern("thread name: Total 2.*\\n.*2 .*: exec-#")
        .doesNotContain("worker");
    assertThat(pprof("-tags", "-sample_index=off_cpu"))
        .containsPattern("9ms .*: sleep\\n.*7ms .*: io");
    assertThat(pprof("-top", "-sample_index=off_cpu", "-tagfocus=part=^io$"))
        .contains("accounting for 7ms", "Net.poll");
    assertThat(pprof("-top", "-sample_index=off_cpu", "-tagignore=trace id=."))
        .contains("accounting for 9ms", "sleep");
  }

  @Test
  void allocation_inBothFiles_isBesideCpuTime() throws Exception {
    ProfileData allocations =
        new ProfileData()
            .type("alloc_space", "bytes")
            .value(traceId(3), spanId(3), 3_000_000, List.of("main", "read"));
    run =
        JoinRun.of(
            directory.resolve("more"),
            CollectorFiles.json(Example.shopProfile(), allocations.build(), Example.shop()));

    assertThat(pprof("-top", "-sample_index=alloc_space")).contains("read").doesNotContain("tax");
    assertThat(pprof("-top")).as("CPU time").contains("tax").doesNotContain("read");
    JsonArray profiles =
        JsonParser.parseString(Files.readString(run.output().resolve("speedscope.json")))
            .getAsJsonObject()
            .getAsJsonArray("profiles");
    assertThat(profiles)
        .anySatisfy(
            profile -> {
              JsonObject of = profile.getAsJsonObject();
              assertThat(of.get("name").getAsString()).isEqualTo("GET /search of shop, allocation");
              assertThat(of.get("unit").getAsString()).isEqualTo("bytes");
              assertThat(of.get("endValue").getAsLong()).isEqualTo(3_000_000);
            });
  }

  @Test
  void speedscope_profiles_areTheEndpointsWithTheirCpuTime() throws IOException {
    JsonObject file =
        JsonParser.parseString(Files.readString(run.output().resolve("speedscope.json")))
            .getAsJsonObject();

    assertThat(file.get("$schema").getAsString())
        .isEqualTo("https://www.speedscope.app/file-format-schema.json");
    JsonArray profiles = file.getAsJsonArray("profiles");
    assertThat(profiles)
        .extracting(profile -> profile.getAsJsonObject().get("name").getAsString())
        .containsExactly(
            "GET /checkout of shop", "reserve of store", "(no request) (no name) of shop");
    JsonArray frames = file.getAsJsonObject("shared").getAsJsonArray("frames");
    for (JsonElement each : profiles) {
      JsonObject profile = each.getAsJsonObject();
      assertThat(profile.get("type").getAsString()).isEqualTo("sampled");
      JsonArray samples = profile.getAsJsonArray("samples");
      JsonArray weights = profile.getAsJsonArray("weights");
      assertThat(samples).hasSameSizeAs(weights);
      long sum = weights.asList().stream().mapToLong(JsonElement::getAsLong).sum();
      assertThat(profile.get("endValue").getAsLong()).isEqualTo(sum);
      for (JsonElement stack : samples) {
        assertThat(frame(frames, stack.getAsJsonArray().get(0))).isEqualTo("main");
      }
    }
    assertThat(profiles.get(0).getAsJsonObject().get("endValue").getAsLong())
        .isEqualTo(7 * ProfileData.PERIOD_NANOS);
  }

  private static String frame(JsonArray frames, JsonElement index) {
    return frames.get(index.getAsInt()).getAsJsonObject().get("name").getAsString();
  }

  private String pprof(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("go", "tool", "pprof"));
    command.addAll(Arrays.asList(options));
    command.add(run.output().resolve("profile.pb.gz").toString());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PPROF_TMPDIR", directory.toString());
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new IOException("go is missing: install Go, whose pprof reads the file", e);
    }
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }
}
