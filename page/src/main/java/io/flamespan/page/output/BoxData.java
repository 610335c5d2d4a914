/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.TimeSlices;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The stacks of single requests of an endpoint, of which a reader chooses some by drawing a box.
 * They have the form of time slices, with a bin for each request.
 */
final class BoxData {
  private final int step;
  private final TimeSlices slices;

  /** Takes all requests whose duration is known, or one of so many that there is room for them. */
  BoxData(String title, RequestStacks stacks, PageLimits limits) {
    List<EndpointResult.Dot> all = stacks.all();
    int[] known =
        IntStream.range(0, all.size())
            .filter(place -> all.get(place).durationNanos() > 0)
            .toArray();
    long numbers =
        Arrays.stream(known)
            .mapToLong(place -> 1 + PartsJson.numbersOfABin(all.get(place).measured()))
            .sum();
    step =
        1
            + Math.max(
                (known.length - 1) / limits.boxRequests(),
                (int) ((numbers - 1) / limits.boxNumbers()));
    List<int[]> chosen =
        IntStream.range(0, known.length)
            .filter(place -> place % step == 0)
            .mapToObj(place -> new int[] {known[place]})
            .toList();
    slices = stacks.slices(title, chosen, limits.sliceNodes(), limits.boxCells());
  }

  /** Writes nothing if there is nothing to choose. */
  void write(JsonWriter json, Graphs graphs) throws IOException {
    if (slices.bins().requests().length < 2) {
      return;
    }
    json.name("box").beginObject().name("step").value(step);
    graphs.slices(slices);
    json.endObject();
  }
}
