/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTrees;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.Tally;
import io.flamespan.page.timeline.Measured;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class BoxDataTest {
  private static final long PERIOD = 10_000_000;
  private static final int SAMPLES = 20; // of a request, each with another stack

  private static EndpointResult.Dot request(long nanos, Measured measured) {
    Tally tally = new Tally();
    tally.add(Measure.CPU, SAMPLES, SAMPLES * PERIOD);
    return new EndpointResult.Dot("", 0, 1, nanos >= 0, Math.max(0, nanos), tally, measured);
  }

  private static JsonObject written(List<EndpointResult.Dot> requests) throws IOException {
    Frames frames = new Frames();
    StackTree tree = new StackTree(10_000);
    int[] stacks =
        IntStream.range(0, 3_000)
            .map(
                number ->
                    tree.child(StackTree.ROOT, frames.number(new Frame("Shop.m" + number, "", ""))))
            .toArray();
    RequestStacks all =
        new RequestStacks(
            requests.size(),
            () -> requests,
            () -> Collections.nCopies(requests.size(), Map.of()),
            place ->
                visitor -> {
                  for (int sample = 0; sample < SAMPLES; sample++) {
                    int stack = stacks[(place * SAMPLES + sample) % stacks.length];
                    visitor.row(stack, -1, Measure.CPU, 1, PERIOD);
                  }
                },
            tree,
            frames,
            new FlameTrees(tree, frames));
    Tally received = requests.get(0).tally();
    int numbers = (1 + PartsJson.numbersOfABin(requests.get(0).measured())) * requests.size();
    BoxLimits limits =
        new BoxLimits(
            BoxLimits.most(BoxLimits.REQUESTS, new long[] {requests.size()}),
            BoxLimits.most(BoxLimits.NUMBERS, new long[] {numbers}),
            PageLimits.shared(BoxLimits.CELLS, received),
            BoxLimits.METHOD_CELLS);
    JsonObject page = WrittenBox.of(all, 1_000, limits);
    assertThat(page.toString().length()).as("bytes").isLessThan(4_000_000);
    return page;
  }

  private static List<Long> durations(JsonObject page) {
    JsonElement durations =
        page.getAsJsonObject("box").getAsJsonObject("slices").get("durations").getAsJsonArray();
    return StreamSupport.stream(durations.getAsJsonArray().spliterator(), false)
        .map(JsonElement::getAsLong)
        .toList();
  }

  @Test
  void requests_forWhichThereIsNoRoom_areLeftOutEvenlyByDuration() throws IOException {
    List<EndpointResult.Dot> requests =
        IntStream.range(0, 25_000)
            .mapToObj(place -> request(1_000_000_000L - place, new Measured(1)))
            .toList();

    JsonObject page = written(requests);

    assertThat(page.getAsJsonObject("box").get("of").getAsInt()).isEqualTo(25_000);
    assertThat(durations(page))
        .hasSize(10_000)
        .startsWith(1_000_000_000L, 999_999_998L, 999_999_995L)
        .endsWith(999_975_003L);
    assertThat(durations(written(requests.subList(0, 10_001)))).hasSize(10_000);
  }

  /** The columns of what was measured are as long as those of all samples. */
  @Test
  void requests_ofWhichMuchIsMeasured_areFewer() throws IOException {
    Measured measured = PageLimitsTest.ofAllParts();
    List<EndpointResult.Dot> requests =
        IntStream.range(0, 10_000)
            .mapToObj(place -> request(1_000_000_000L - place, measured))
            .toList();

    assertThat(durations(written(requests))).hasSizeBetween(1_000, 5_000);
  }

  @Test
  void requests_ofUnknownDuration_areInNoBox() throws IOException {
    List<EndpointResult.Dot> requests =
        List.of(
            request(7, new Measured(7)), request(0, new Measured(0)), request(-1, new Measured(0)));

    assertThat(durations(written(requests))).containsExactly(7L, 0L);
    assertThat(written(requests.subList(1, 3)).has("box")).isFalse();
  }

  @Test
  void room_isDividedByWhatEndpointsNeed() {
    long[] needs = LongStream.range(0, 20).map(endpoint -> endpoint == 0 ? 9_000 : 10).toArray();

    assertThat(BoxLimits.most(10_000, needs)).isGreaterThanOrEqualTo(9_000);
    assertThat(BoxLimits.most(10_000, new long[] {9_000, 9_000, 1_000})).isEqualTo(4_500);
    assertThat(BoxLimits.most(10_000, new long[0])).isPositive();
  }

  /** Sixty frames that all share, and more stacks than there is room for. */
  @Test
  void graph_ofDeepStacks_hasOwnMethods() throws IOException {
    Frames frames = new Frames();
    StackTree tree = new StackTree(10_000);
    int handler = StackTree.ROOT;
    for (int depth = 0; depth < 60; depth++) {
      handler = tree.child(handler, frames.number(new Frame("web.Filter" + depth, "", "")));
    }
    int shared = handler;
    int[] stacks =
        IntStream.range(0, 400)
            .map(
                leaf -> {
                  int at = shared;
                  for (String name : List.of("Shop.m" + leaf % 20, "Shop.n" + leaf)) {
                    at = tree.child(at, frames.number(new Frame(name, "", "")));
                  }
                  return at;
                })
            .toArray();
    List<EndpointResult.Dot> requests =
        Collections.nCopies(2_000, request(1_000, new Measured(1_000)));
    RequestStacks all =
        new RequestStacks(
            requests.size(),
            () -> requests,
            () -> Collections.nCopies(requests.size(), Map.of()),
            place ->
                visitor -> {
                  for (int sample = 0; sample < SAMPLES; sample++) {
                    int stack =
                        (int)
                            (stacks.length * Math.pow(((place * 31 + sample * 17) % 97) / 97., 2));
                    visitor.row(stacks[stack], -1, Measure.CPU, 1, PERIOD);
                  }
                },
            tree,
            frames,
            new FlameTrees(tree, frames));

    JsonObject page = WrittenBox.of(all, 1_000, new BoxLimits(2_000, 9_999, 4_000, 10_000));

    assertThat(durations(page)).hasSizeBetween(100, 1_000);
    assertThat(
            page.getAsJsonArray("frames").asList().stream()
                .map(one -> one.getAsJsonArray().get(0).getAsString())
                .filter(name -> name.startsWith("Shop.")))
        .hasSizeGreaterThan(20);
  }
}
