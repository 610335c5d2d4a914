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
import static io.flamespan.page.TraceData.REMOTE_PARENT;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonParser;
import com.google.protobuf.Message;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares all sums with those of a second join, in Python, that shares no code with the first. */
@Tag("other-programs")
class SecondJoinTest {
  private static final List<String> SERVICES = List.of("shop", "store", "");
  private static final List<List<String>> TYPES =
      List.of(
          List.of("samples", "count"),
          List.of("cpu", "nanoseconds"),
          List.of("off_cpu", "nanoseconds"),
          List.of("ctimer", "count"),
          List.of("perf_events", "total"),
          List.of("wall", "ns"),
          List.of("cpu", "ms"),
          List.of("alloc_space", "bytes"),
          List.of("allocations", "count"),
          List.of("lock", "nanoseconds"),
          List.of("locks", "us"));
  private static final int LINES = 30;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void messages_constructedAtRandom_haveTheSameSums(long seed) throws Exception {
    Random random = new Random(seed);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      lines.append(line(random)).append('\n');
    }
    assertSame(write("all.jsonl", lines.toString().getBytes(UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23})
  void sets_constructedAtRandom_haveTheSameSumsInTheirComparison(long seed) throws Exception {
    Random random = new Random(seed);
    for (String set : List.of("before", "after")) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < LINES; i++) {
        lines.append(line(random)).append('\n');
      }
      Files.writeString(directory.resolve(set), lines);
    }
    String before = directory.resolve("before").toString();
    String after = directory.resolve("after").toString();
    JoinRun run = JoinRun.with(directory.resolve("out"), "--baseline", before, after);
    assertSame(run, after, "--baseline", before);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16})
  void files_damagedAtRandom_haveTheSameSums(long seed) throws Exception {
    Random random = new Random(seed);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      lines.append(damaged(line(random), random));
    }
    byte[] whole = lines.toString().getBytes(UTF_8);
    byte[] compressed = CollectorFiles.gzip(whole);
    write("gzip", Arrays.copyOf(compressed, compressed.length * 2 / 3));
    assertSame(write("plain", whole));
  }

  private static String damaged(String line, Random random) {
    String spread =
        new GsonBuilder().setPrettyPrinting().create().toJson(JsonParser.parseString(line));
    return switch (random.nextInt(8)) {
      case 0 -> line.substring(0, random.nextInt(line.length())) + "\n";
      case 1 -> line + line + "\n";
      case 2 -> spread + "\n";
      case 3 ->
          spread.substring(0, spread.lastIndexOf('\n', random.nextInt(spread.length()) + 2) + 1);
      case 4 -> List.of("[]", "null", "7", "\"text\"", "}", "").get(random.nextInt(6)) + "\n";
      default -> line + "\n";
    };
  }

  private static String line(Random random) {
    return CollectorFiles.jsonLine(random.nextBoolean() ? traces(random) : profile(random));
  }

  private static Message traces(Random random) {
    TraceData traces = new TraceData(SERVICES.get(random.nextInt(3)));
    for (int i = 0; i < 8; i++) {
      byte[] parent = random.nextInt(3) == 0 ? NONE : spanId(1 + random.nextInt(12));
      int flags =
          List.of(LOCAL_PARENT, REMOTE_PARENT, FLAGS_UNKNOWN, FLAGS_UNKNOWN).get(random.nextInt(4));
      long start = START + random.nextInt(4_000) * MS;
      traces
          .span(
              traceId(1 + random.nextInt(4)),
              spanId(1 + random.nextInt(12)),
              parent,
              flags,
              "GET /" + random.nextInt(4),
              start,
              start + random.nextInt(100) * MS)
          .kind(SpanKind.forNumber(random.nextInt(6)));
    }
    return traces.build();
  }

  private static Message profile(Random random) {
    List<String> type = TYPES.get(random.nextInt(TYPES.size()));
    ProfileData profile =
        new ProfileData()
            .service(SERVICES.get(random.nextInt(3)))
            .time(START + random.nextInt(4) * 1_000 * MS)
            .type(type.get(0), type.get(1));
    if (random.nextInt(4) == 0) {
      profile.period("", "", 0);
    }
    for (int i = 0; i < 10; i++) {
      List<String> stack =
          List.of("main", "work" + random.nextInt(3), "C$$Lambda$" + random.nextInt(9) + "/7.run");
      byte[] trace = random.nextInt(4) == 0 ? NONE : traceId(1 + random.nextInt(5));
      byte[] span = trace.length == 0 ? NONE : spanId(1 + random.nextInt(14));
      if (random.nextBoolean()) {
        long time = START + random.nextInt(4) * 1_000 * MS;
        profile.sample(trace, span, time, random.nextInt(4), stack.subList(0, random.nextInt(4)));
      } else {
        profile.value(trace, span, random.nextInt(40_000_000), stack);
      }
    }
    return profile.build();
  }

  private Path write(String name, byte[] content) throws IOException {
    Path input = Files.createDirectories(directory.resolve("input"));
    Files.write(input.resolve(name), content);
    return input;
  }

  private static void assertSame(Path input) throws IOException, InterruptedException {
    assertSame(JoinRun.of(input), input.toString());
  }

  /** Compares the output of the run with a second join of these files. */
  static void assertSame(JoinRun run, String... input) throws IOException, InterruptedException {
    assertThat(run.status()).as(String.join("\n", run.lines())).isZero();
    List<String> command = new ArrayList<>();
    command.addAll(List.of("python3", "src/test/python/check_join.py", run.output().toString()));
    command.addAll(List.of(input));
    Process second = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(second.getInputStream().readAllBytes(), UTF_8);
    assertThat(second.waitFor()).as(printed).isZero();
    assertThat(printed).startsWith("ok: ");
  }
}
