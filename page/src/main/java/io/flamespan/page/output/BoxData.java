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
 * The single requests of an endpoint, of which a reader chooses some by drawing a box. Their stacks
 * have the form of time slices, with a bin for each request.
 */
final class BoxData {
  private static final int ENOUGH_NODES = 250; // of the graph, for which there are fewer requests
  private static final int ENOUGH_REQUESTS = 100;

  private final int known;
  private final TimeSlices slices;
  private final BoxMethods methods;

  /** Takes all requests whose duration is known, or evenly as many as there is room for. */
  BoxData(String title, RequestStacks stacks, int mostNodes, BoxLimits limits) {
    List<EndpointResult.Dot> all = stacks.all();
    int[] known =
        IntStream.range(0, all.size()).filter(place -> all.get(place).hasDuration()).toArray();
    long numbers =
        Arrays.stream(known)
            .mapToLong(place -> 1 + PartsJson.numbersOfABin(all.get(place).measured()))
            .sum();
    this.known = known.length;
    long ofNumbers = (long) known.length * limits.numbers() / Math.max(1, numbers);
    int[] chosen = evenly(known, (int) Math.min(limits.requests(), ofNumbers));
    TimeSlices made = slices(title, stacks, chosen, mostNodes, limits);
    while (made.tree().leftOut() > 0
        && made.tree().dividing() < Math.min(ENOUGH_NODES, mostNodes)
        && chosen.length >= 2 * ENOUGH_REQUESTS) {
      chosen = evenly(chosen, chosen.length / 2);
      made = slices(title, stacks, chosen, mostNodes, limits);
    }
    slices = made;
    methods =
        new BoxMethods(
            stacks, chosen, stacks.numbers(slices.tree().frames()), limits.methodCells());
  }

  private static int[] evenly(int[] places, int most) {
    int count = Math.min(most, places.length);
    return IntStream.range(0, count)
        .map(rank -> places[(int) ((long) rank * places.length / count)])
        .toArray();
  }

  private static TimeSlices slices(
      String title, RequestStacks stacks, int[] chosen, int mostNodes, BoxLimits limits) {
    List<int[]> each = Arrays.stream(chosen).mapToObj(place -> new int[] {place}).toList();
    return stacks.slices(title, each, mostNodes, limits.cells());
  }

  /** Writes no requests if there is nothing to choose. */
  void write(JsonWriter json, Graphs graphs) throws IOException {
    json.name("isBoxed").value(true);
    if (slices.bins().requests().length < 2) {
      return;
    }
    json.name("box").beginObject().name("of").value(known);
    graphs.slices(slices);
    methods.write(json, graphs);
    json.endObject();
  }
}
