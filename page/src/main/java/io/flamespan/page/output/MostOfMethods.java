/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.IntStream;

/** The requests of an endpoint that have the most of its largest methods. */
final class MostOfMethods {
  private static final int REQUESTS = 3; // of a method and a measure
  private static final long NANOS_OF_A_MILLI = 1_000_000;

  /** What a request has of a method with all that it calls. */
  private record Amount(int place, long amount) {}

  private record Key(Frame frame, Measure measure) {}

  private final JsonWriter json;
  private final Graphs graphs;

  MostOfMethods(JsonWriter json, Graphs graphs) {
    this.json = json;
    this.graphs = graphs;
  }

  /** The methods of the largest frames of each measure. */
  private static Set<Frame> largest(FlameTree tree, int most) {
    Set<Frame> frames = new LinkedHashSet<>();
    for (Measure measure : tree.tally(0).measures()) {
      Set<Frame> ofMeasure = new LinkedHashSet<>();
      IntStream.range(1, tree.size())
          .filter(node -> tree.amount(measure, node) > 0)
          .boxed()
          .sorted(Comparator.comparingLong(node -> -tree.amount(measure, node)))
          .map(tree::frame)
          .takeWhile(frame -> ofMeasure.size() < most)
          .forEach(ofMeasure::add);
      frames.addAll(ofMeasure);
    }
    return frames;
  }

  /** Writes them for so many methods of the tree, by each measure. */
  void write(EndpointResult endpoint, FlameTree tree, int mostMethods) throws IOException {
    RequestStacks stacks = endpoint.requestStacks();
    Set<Frame> frames = largest(tree, mostMethods);
    Map<Key, PriorityQueue<Amount>> most = new HashMap<>();
    int[] places = IntStream.range(0, stacks.all().size()).toArray();
    stacks.methods(
        places,
        Set.of(Column.TOTAL),
        OwnCode.withoutLibraries(),
        (place, frame, column, measure, amount) -> {
          if (frames.contains(frame)) {
            PriorityQueue<Amount> of =
                most.computeIfAbsent(
                    new Key(frame, measure),
                    added ->
                        new PriorityQueue<>(
                            Comparator.comparingLong(Amount::amount)
                                .thenComparingInt(one -> -one.place())));
            of.add(new Amount(place, amount));
            if (of.size() > REQUESTS) {
              of.remove();
            }
          }
        });
    json.name("most").beginObject();
    for (Measure measure : endpoint.tally().measures()) {
      json.name(Graphs.amounts(measure)).beginArray();
      for (Frame frame : frames) {
        PriorityQueue<Amount> of = most.get(new Key(frame, measure));
        if (of != null) {
          json.beginArray().value(graphs.number(frame));
          write(of, stacks.all());
          json.endArray();
        }
      }
      json.endArray();
    }
    json.endObject();
  }

  private void write(PriorityQueue<Amount> of, List<EndpointResult.Dot> all) throws IOException {
    List<Amount> sorted = new ArrayList<>(of);
    sorted.sort(Comparator.comparingLong(Amount::amount).reversed());
    for (Amount one : sorted) {
      EndpointResult.Dot request = all.get(one.place());
      json.beginArray().value(request.traceId());
      json.value(HexFormat.of().toHexDigits(request.spanId()));
      json.value(request.startNanos() / NANOS_OF_A_MILLI).value(request.durationNanos());
      json.value(one.amount()).endArray();
    }
  }
}
