/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonWriter;
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
import java.io.StringWriter;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class BoxDataTest {
  private static final long PERIOD = 10_000_000;
  private static final int SAMPLES = 20; // of a request, each with another stack

  private static EndpointResult.Dot request(long nanos, Measured measured) {
    Tally tally = new Tally();
    tally.add(Measure.CPU, SAMPLES, SAMPLES * PERIOD);
    return new EndpointResult.Dot("", 0, 1, nanos, tally, measured);
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
    PageLimits limits =
        PageLimits.of(
            List.of(new PageLimits.OfBins(requests.size(), 0)),
            PageLimits.TIME_BINS,
            requests.get(0).tally());
    StringWriter text = new StringWriter();
    JsonWriter json = new JsonWriter(text);
    json.beginObject();
    new BoxData("GET /", all, limits).write(json, new Graphs(json));
    json.endObject();
    assertThat(text.toString().length()).as("bytes").isLessThan(4_000_000);
    return JsonParser.parseString(text.toString()).getAsJsonObject();
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

    assertThat(page.getAsJsonObject("box").get("step").getAsInt()).isEqualTo(3);
    assertThat(durations(page))
        .hasSize(8_334)
        .startsWith(1_000_000_000L, 999_999_997L)
        .endsWith(999_975_001L);
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
            request(7, new Measured(7)), request(5, new Measured(5)), request(0, new Measured(0)));

    assertThat(durations(written(requests))).containsExactly(7L, 5L);
    assertThat(written(requests.subList(1, 3)).has("box")).isFalse();
  }
}
