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

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The traces of requests on the page. */
class TracesTest {
  private static final List<String> STACK = List.of("main", "work");

  @TempDir Path directory;

  @Test
  void slowestRequest_ofATraceOfTwoServices_hasTheSamplesAndSpansOfBoth() throws IOException {
    JsonObject trace = Example.run(directory).traceOf("GET /checkout");

    assertThat(trace.getAsJsonObject("tree").getAsJsonArray("samples").get(0).getAsLong())
        .isEqualTo(9);
    assertThat(trace.getAsJsonArray("spans"))
        .extracting(span -> span.getAsJsonObject().get("name").getAsString())
        .containsExactly("GET /checkout", "price", "reserve");
    assertThat(trace.getAsJsonArray("spans"))
        .extracting(span -> span.getAsJsonObject().get("depth").getAsInt())
        .containsExactly(0, 1, 2);
  }

  @Test
  void sampledSpan_belowSpansThatAreLeftOut_isBelowItsNearestShownAncestor() throws IOException {
    TraceData traces = new TraceData("shop").root(1, "GET /", START, START + 100 * MS);
    long last = 600;
    for (long span = 2; span < last; span++) {
      traces.span(traceId(1), spanId(span), spanId(span - 1), LOCAL_PARENT, "inner", START, START);
    }
    traces.span(traceId(1), spanId(last), spanId(last - 1), LOCAL_PARENT, "deep", START, START);

    JsonObject trace =
        JoinRun.of(directory, CollectorFiles.json(traces.build()), profile(1, last))
            .traceOf("GET /");

    JsonObject deep =
        trace.getAsJsonArray("spans").asList().stream()
            .map(JsonElement::getAsJsonObject)
            .filter(span -> span.get("name").getAsString().equals("deep"))
            .findFirst()
            .orElseThrow();
    assertThat(trace.get("spansLeftOut").getAsInt()).isPositive();
    assertThat(deep.get("depth").getAsInt()).isPositive();
    assertThat(deep.getAsJsonObject("tally").get("samples").getAsLong()).isEqualTo(1);
  }

  @Test
  void spans_thatAreParentsOfEachOther_areAllOnTheTimeLine() throws IOException {
    byte[] traces =
        CollectorFiles.json(
            new TraceData("shop")
                .root(1, "GET /", START, START + MS)
                .span(traceId(1), spanId(2), spanId(3), FLAGS_UNKNOWN, "a", START, START)
                .span(traceId(1), spanId(3), spanId(2), FLAGS_UNKNOWN, "b", START, START)
                .span(traceId(1), spanId(4), NONE, FLAGS_UNKNOWN, "c", START, START)
                .build());

    JsonObject trace = JoinRun.of(directory, traces, profile(1, 1)).traceOf("GET /");

    assertThat(trace.getAsJsonArray("spans")).hasSize(4);
  }

  @Test
  void trace_ofTwoRequests_isOnThePageOnce() throws IOException {
    JoinRun run = Example.run(directory);

    assertThat(run.traceOf("reserve")).isEqualTo(run.traceOf("GET /checkout"));
    assertThat(run.data().getAsJsonArray("traces")).hasSize(3);
  }

  /** The time must not grow with the square of their number. */
  @Test
  @Timeout(60)
  void trace_ofManySampledLocalRoots_isBoundedAndCompleteInSum() throws IOException {
    int roots = 20_000;
    TraceData traces = new TraceData("queue");
    ProfileData profile = new ProfileData().service("queue");
    for (int number = 1; number <= roots; number++) {
      byte[] id = spanId(number);
      String name = "consume " + number % 300;
      traces.span(traceId(1), id, NONE, LOCAL_PARENT, name, START, START + number * 1_000L);
      profile.sample(traceId(1), id, START, 1, List.of("main", "work" + number % 100));
    }

    JoinRun run =
        JoinRun.of(
            directory, CollectorFiles.json(traces.build()), CollectorFiles.json(profile.build()));

    assertThat(run.status()).isZero();
    JsonArray all = run.data().getAsJsonArray("traces");
    assertThat(all).hasSize(1);
    JsonObject tree = all.get(0).getAsJsonObject().getAsJsonObject("tree");
    assertThat(tree.getAsJsonArray("samples").get(0).getAsInt()).isEqualTo(roots);
    assertThat(tree.getAsJsonArray("samples")).hasSizeLessThan(3_000);
    assertThat(names(run.data(), tree)).anyMatch(name -> name.endsWith("other local root spans)"));
    int listed =
        run.data().getAsJsonArray("endpoints").asList().stream()
            .mapToInt(one -> one.getAsJsonObject().getAsJsonArray("slowest").size())
            .sum();
    JsonObject trace = all.get(0).getAsJsonObject();
    assertThat(trace.getAsJsonArray("spans")).hasSizeBetween(listed, listed + 500);
    assertThat(trace.get("spansLeftOut").getAsInt())
        .isEqualTo(roots - trace.getAsJsonArray("spans").size());
    assertThat(Files.size(run.page())).isLessThan(10_000_000);
  }

  private static List<String> names(JsonObject data, JsonObject tree) {
    JsonArray frames = data.getAsJsonArray("frames");
    return tree.getAsJsonArray("frame").asList().stream()
        .map(frame -> frames.get(frame.getAsInt()).getAsJsonArray().get(0).getAsString())
        .toList();
  }

  private static byte[] profile(long trace, long span) {
    return CollectorFiles.json(
        new ProfileData().sample(traceId(trace), spanId(span), START, 1, STACK).build());
  }
}
