/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a page has of requests by attributes and by parts. */
class SplitsTest {
  private static final String PARK = "jdk.internal.misc.Unsafe.park";
  private static final int MOST_VALUES = 6;

  @TempDir Path directory;

  private JsonObject endpoint(String name, Message... messages) throws IOException {
    return JoinRun.of(directory.resolve(name), CollectorFiles.protobuf(messages))
        .data()
        .getAsJsonArray("endpoints")
        .get(0)
        .getAsJsonObject();
  }

  private JsonObject endpoint(SlowRequestsTest.Cause cause, int seed) throws IOException {
    return endpoint(cause.name() + seed, SlowRequestsTest.messages(cause, seed));
  }

  private static List<String> names(JsonObject endpoint) {
    return endpoint.getAsJsonArray("splits").asList().stream()
        .map(split -> split.getAsJsonObject().get("by").getAsString())
        .toList();
  }

  private static JsonObject split(JsonObject endpoint, String by) {
    return endpoint.getAsJsonArray("splits").get(names(endpoint).indexOf(by)).getAsJsonObject();
  }

  private static String text(JsonObject split) {
    return split.getAsJsonArray("texts").get(split.get("first").getAsInt()).getAsString();
  }

  private static boolean differs(JsonElement split) {
    return split.getAsJsonObject().get("differs").getAsBoolean();
  }

  private static long requests(JsonObject split) {
    return split.getAsJsonObject("slices").getAsJsonArray("requests").asList().stream()
        .mapToLong(JsonElement::getAsLong)
        .sum();
  }

  @Test
  void cause_ofRequestsWithAValue_isTheFirstInTheSentenceOfTheAttribute() throws IOException {
    JsonObject endpoint = endpoint(SlowRequestsTest.Cause.OWN_METHOD, 2);

    assertThat(names(endpoint))
        .startsWith("http.response.status_code", "tenant")
        .doesNotContain("request.id", "duration");
    JsonObject byStatus = split(endpoint, "http.response.status_code");
    assertThat(text(byStatus))
        .matches(
            "the 10 with (503 against the 990|200 against the 10) others: .*"
                + " explain [+−]\\d+ ms; [+−]\\d+ ms ± [\\d.]+ ms on CPU in `Cache\\.load`");
    assertThat(differs(byStatus)).isTrue();
    assertThat(differs(split(endpoint, "tenant"))).isFalse();
    assertThat(text(split(endpoint, "tenant"))).contains("; no single method is certain");
    assertThat(requests(byStatus)).isEqualTo(1_000);
  }

  @Test
  void requestsThatAllDoTheSame_differByNothingOnMostPages() throws IOException {
    int pages = 0;
    for (int seed = 0; seed < 20; seed++) {
      JsonObject endpoint = endpoint(SlowRequestsTest.Cause.NONE, seed);
      pages +=
          endpoint.getAsJsonArray("splits").asList().stream().anyMatch(SplitsTest::differs) ? 1 : 0;
    }

    assertThat(pages).isLessThanOrEqualTo(1);
  }

  /** What groups them must not be what their few samples happened to see. */
  @Test
  void requestsThatWaitAlike_areNotGroupedByWhatSamplesSaw() throws IOException {
    Random random = new Random(1);
    TraceData traces = new TraceData("shop");
    ProfileData cpu = new ProfileData().time(START).service("shop");
    ProfileData waits = new ProfileData().type("wall", "nanoseconds").time(START).service("shop");
    for (int number = 1; number <= 400; number++) {
      long start = START + number * 1_000 * MS;
      traces.root(number, "GET /", start, start + (190 + random.nextInt(20)) * MS);
      for (int sample = 0; sample < 12; sample++) {
        long at = start + (10 + 10 * sample) * MS;
        byte[] trace = TraceData.traceId(number);
        byte[] span = TraceData.spanId(number);
        switch (random.nextInt(3)) {
          case 0 -> cpu.sample(trace, span, at, 1, List.of("main", "com.shop.Work.compute"));
          case 1 -> waits.timed(trace, span, "", at, 10 * MS, List.of("com.shop.Client.call"));
          default -> waits.timed(trace, span, "", at, 10 * MS, List.of("com.shop.Pool.take", PARK));
        }
      }
    }

    JsonObject endpoint = endpoint("alike", traces.build(), cpu.build(), waits.build());

    assertThat(names(endpoint)).isEmpty();
  }

  @Test
  void attributesThatDivideRequestsAlike_areOne() throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData profile = new ProfileData().time(START).service("shop");
    for (int number = 1; number <= 100; number++) {
      long start = START + number * 1_000 * MS;
      traces.root(number, "GET /", start, start + (number % 2 == 0 ? 100 : 300) * MS);
      traces.attribute("status", number % 2 == 0 ? "200" : "500");
      traces.attribute("error", number % 2 == 0 ? "none" : "timeout");
      traces.attribute("tenant", "t" + number % 3);
      traces.attribute("session", "s" + (number == 1 ? 2 : number) % 50);
      profile.sample(
          TraceData.traceId(number), TraceData.spanId(number), start, 1, List.of("main", "work"));
    }

    JsonObject endpoint = endpoint("divided", traces.build(), profile.build());

    assertThat(names(endpoint)).contains("error", "tenant").doesNotContain("status");
  }

  @Test
  void part_ofWhichSomeRequestsHaveMuch_isComparedWithTypicalOnes() throws IOException {
    JsonObject endpoint = endpoint(SlowRequestsTest.Cause.WAIT, 3);

    JsonObject byWaits = split(endpoint, "otherWait");
    assertThat(text(byWaits))
        .startsWith("the 10 above p99 against the 500 up to p50: ")
        .contains(" waiting in `Pool.borrow`");
    assertThat(byWaits.getAsJsonArray("groups")).hasSize(4);
    assertThat(names(endpoint)).as("no request has any").doesNotContain("lock", "stopped");
  }

  /** Two of eight attributes have no value of two requests and two others. */
  @Test
  void valuesAndAttributes_thatHaveNoRoom_areSummedUpAndCounted() throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData profile = new ProfileData().time(START).service("shop");
    for (int number = 1; number <= 600; number++) {
      long millis = 100 + 10 * (number % 30);
      long start = START + number * 1_000 * MS;
      traces.root(number, "GET /", start, start + millis * MS);
      profile.sample(
          TraceData.traceId(number), TraceData.spanId(number), start, 1, List.of("main", "work"));
      traces.attribute("tenant", "t" + number % 30);
      for (int bit = 0; bit < 5; bit++) {
        traces.attribute("bit " + bit, (number / 30 >> bit & 1) == 0 ? "x" : "y");
      }
      traces.attribute("one", number == 1 ? "only" : "no").attribute("same", "always");
    }

    JsonObject endpoint = endpoint("many", traces.build(), profile.build());

    assertThat(names(endpoint)).startsWith("tenant").doesNotContain("one", "same");
    JsonObject byTenant = split(endpoint, "tenant");
    assertThat(byTenant.getAsJsonArray("names")).hasSize(MOST_VALUES);
    assertThat(byTenant.getAsJsonArray("names").get(0).getAsString()).isEqualTo("t29");
    assertThat(byTenant.getAsJsonArray("groups")).hasSize(MOST_VALUES + 1);
    assertThat(byTenant.getAsJsonArray("groups").get(MOST_VALUES).getAsString())
        .isEqualTo("(24 other values)");
    assertThat(requests(byTenant)).isEqualTo(600);
    assertThat(endpoint.get("splitsLeftOut").getAsInt()).isEqualTo(3);
  }

  @Test
  void endpointsThatAreOneRow_areNotComparedWithEachOther() throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData profile = new ProfileData().time(START).service("shop");
    for (int number = 1; number <= 230; number++) {
      traces.root(number, "GET /" + number, START, START + number * MS);
      profile.sample(
          TraceData.traceId(number), TraceData.spanId(number), START, 1, List.of("main"));
    }

    List<JsonElement> endpoints =
        JoinRun.of(directory, CollectorFiles.protobuf(traces.build(), profile.build()))
            .data()
            .getAsJsonArray("endpoints")
            .asList();

    assertThat(endpoints.get(0).getAsJsonObject().has("slow")).isTrue();
    assertThat(endpoints.get(endpoints.size() - 1).getAsJsonObject().has("slow")).isFalse();
  }
}
