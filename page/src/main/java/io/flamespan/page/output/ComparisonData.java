/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.comparison.EndpointChange;
import io.flamespan.page.comparison.MergedTrees;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.TimeSlices;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The comparison with the baseline for the page. It has the form of time slices with two bins, so
 * that the page compares sets of files like ranges of time.
 */
final class ComparisonData {
  private static final int NODES = 100_000;
  private static final int MOST_NODES = 5_000;

  private final Comparison comparison;
  private final Tally written = new Tally();

  ComparisonData(Comparison comparison) {
    this.comparison = comparison;
  }

  /** Returns the sum of the baseline's samples on the page, counted while writing. */
  Tally write(JsonWriter json, Graphs graphs) throws IOException {
    List<EndpointChange> all = comparison.changes();
    List<EndpointChange> shown = all.subList(0, Math.min(all.size(), PageLimits.ENDPOINTS));
    Tally received = new Tally();
    received.add(comparison.baseline().received());
    received.add(comparison.now().received());
    int nodes =
        Math.min(MOST_NODES, PageLimits.shared(NODES, received) / Math.max(1, shown.size()));
    json.name("comparison").beginObject();
    PageData.sums(graphs, json, comparison.baseline());
    json.name("endpoints").beginArray();
    for (EndpointChange change : shown) {
      json.beginObject();
      json.name("name").value(Graphs.cut(change.name()));
      json.name("service").value(Graphs.cut(change.service()));
      TimeSlices slices = MergedTrees.of(change, nodes);
      graphs.slices(slices);
      new Spreads(json, graphs, change.sides()).write(slices.tree());
      json.endObject();
      count(change, slices);
    }
    json.endArray();
    json.name("others").beginObject();
    List<EndpointChange> others = all.subList(shown.size(), all.size());
    Tally before = new Tally();
    Tally now = new Tally();
    others.forEach(change -> before.add(tally(change.before())));
    others.forEach(change -> now.add(tally(change.now())));
    written.add(before);
    json.name("endpoints").value(others.size());
    for (Measure measure : received.measures()) {
      json.name(Graphs.amounts(measure)).beginArray();
      json.value(before.amount(measure)).value(now.amount(measure)).endArray();
    }
    json.endObject().endObject();
    return written;
  }

  private static Tally tally(@Nullable EndpointResult endpoint) {
    return endpoint == null ? new Tally() : endpoint.tally();
  }

  /** Takes the amounts from the graph, and the numbers of samples from the table. */
  private void count(EndpointChange change, TimeSlices slices) {
    Tally ofGraph = new Tally();
    for (Long2ObjectMap.Entry<Tally> cell : slices.cells().long2ObjectEntrySet()) {
      if (TimeSlices.bin(cell.getLongKey()) == 0) {
        ofGraph.add(cell.getValue());
      }
    }
    Tally before = tally(change.before());
    for (Measure measure : Measure.values()) {
      written.add(measure, before.count(measure), ofGraph.amount(measure));
    }
  }
}
