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
import io.flamespan.page.results.RequestStacks;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.IntStream;

/** The requests of an endpoint that have the most of its largest methods. */
final class MostOfMethods implements RequestStacks.Visitor {
  private static final int REQUESTS = 3; // of a method and a measure
  private static final long NANOS_OF_A_MILLI = 1_000_000;

  /** What a request has of a method with all that it calls. */
  private record Amount(int place, long amount) {}

  private final RequestStacks stacks;
  private final BitSet methods;
  private final Int2ObjectOpenHashMap<PriorityQueue<Amount>> most = new Int2ObjectOpenHashMap<>();

  /** Then receives what methods have. */
  MostOfMethods(RequestStacks stacks, FlameTree tree, int mostMethods) {
    this.stacks = stacks;
    this.methods = stacks.numbers(largest(tree, mostMethods));
  }

  /** The methods of the largest frames of each measure. */
  static Set<Frame> largest(FlameTree tree, int most) {
    Set<Frame> frames = new LinkedHashSet<>();
    for (Measure measure : tree.tally(0).measures()) {
      Set<Frame> ofMeasure = new LinkedHashSet<>();
      IntStream.range(1, tree.size())
          .filter(node -> tree.amount(measure, node) > 0)
          .boxed()
          .sorted(
              Comparator.comparingLong((Integer node) -> -tree.amount(measure, node))
                  .thenComparing(
                      tree::frame,
                      Comparator.comparing(Frame::name)
                          .thenComparing(Frame::file)
                          .thenComparing(Frame::kind)))
          .map(tree::frame)
          .takeWhile(frame -> ofMeasure.size() < most)
          .forEach(ofMeasure::add);
      frames.addAll(ofMeasure);
    }
    return frames;
  }

  @Override
  public void method(int place, int frame, Column column, Measure measure, long amount) {
    if (column == Column.TOTAL && methods.get(frame)) {
      PriorityQueue<Amount> of =
          most.computeIfAbsent(
              key(frame, measure),
              added ->
                  new PriorityQueue<>(
                      Comparator.comparingLong(Amount::amount)
                          .thenComparingInt(one -> -one.place())));
      Amount least = of.peek();
      if (of.size() == REQUESTS && least != null && amount <= least.amount()) {
        return; // of equal amounts, the first ones
      }
      of.add(new Amount(place, amount));
      if (of.size() > REQUESTS) {
        of.remove();
      }
    }
  }

  private static int key(int frame, Measure measure) {
    return frame * Measure.COUNT + measure.ordinal();
  }

  void write(JsonWriter json, Graphs graphs) throws IOException {
    json.name("most").beginObject();
    for (Measure measure : Measure.values()) {
      json.name(Graphs.amounts(measure)).beginArray();
      for (int frame = methods.nextSetBit(0); frame >= 0; frame = methods.nextSetBit(frame + 1)) {
        PriorityQueue<Amount> of = most.get(key(frame, measure));
        if (of != null) {
          json.beginArray().value(graphs.number(stacks.frame(frame)));
          write(json, of);
          json.endArray();
        }
      }
      json.endArray();
    }
    json.endObject();
  }

  private void write(JsonWriter json, PriorityQueue<Amount> of) throws IOException {
    List<Amount> sorted = new ArrayList<>(of);
    sorted.sort(Comparator.comparingLong(Amount::amount).reversed());
    for (Amount one : sorted) {
      EndpointResult.Dot request = stacks.all().get(one.place());
      json.beginArray().value(request.traceId());
      json.value(HexFormat.of().toHexDigits(request.spanId()));
      json.value(request.startNanos() / NANOS_OF_A_MILLI).value(request.durationNanos());
      json.value(one.amount()).endArray();
    }
  }
}
