/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.comparison.GroupComparison;
import io.flamespan.page.comparison.Groups;
import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.TimeSlices;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The requests of an endpoint by duration. The groups have the form of time slices, so that the
 * page compares them like ranges of time. What differs by more than chance is decided here.
 */
final class SlowData {
  private static final Set<Column> COLUMNS = Set.of(Column.SELF, Column.TOTAL);

  private final JsonWriter json;
  private final Graphs graphs;

  SlowData(JsonWriter json, Graphs graphs) {
    this.json = json;
    this.graphs = graphs;
  }

  /** Writes nothing if there are too few requests for all groups. */
  void write(EndpointResult endpoint, int mostNodes) throws IOException {
    RequestStacks stacks = endpoint.requestStacks();
    Groups groups = Groups.by(Groups.DURATION, stacks).orElseThrow();
    if (groups.of().stream().anyMatch(group -> group.places().length == 0)) {
      return;
    }
    List<Measure> measures =
        endpoint.tally().measures().stream()
            .filter(one -> endpoint.tally().amount(one) > 0)
            .toList();
    TimeSlices slices =
        stacks.slices(
            endpoint.name(), groups.of().stream().map(Groups.Group::places).toList(), mostNodes);
    json.name("slow").beginObject();
    json.name("groups").beginArray();
    for (Groups.Group group : groups.of()) {
      json.value(group.name());
    }
    json.endArray();
    SlowSentence sentence = new SlowSentence(stacks, groups, endpoint.tally(), name -> name);
    json.name("texts").beginArray();
    for (String name : groups.names()) {
      json.value(sentence.of(groups.pair(name).orElseThrow()));
    }
    json.endArray();
    json.name("first").value(groups.names().indexOf(first(groups)));
    graphs.slices(slices);
    json.name("certain").beginArray();
    GroupComparison comparison =
        new GroupComparison(stacks, groups, measures, COLUMNS, OwnCode.withoutLibraries());
    for (String name : groups.names()) {
      certain(comparison.rows(groups.pair(name).orElseThrow()), measures, frames(slices.tree()));
    }
    json.endArray().endObject();
  }

  /** The name of the quantile that is compared first. */
  private static String first(Groups groups) {
    String title = groups.pair("").orElseThrow().b().name();
    return groups.names().stream().filter(title::endsWith).findFirst().orElseThrow();
  }

  private static Set<Frame> frames(FlameTree tree) {
    Set<Frame> frames = new HashSet<>();
    for (int node = 1; node < tree.size(); node++) {
      frames.add(tree.frame(node));
    }
    return frames;
  }

  /** Writes by measure the methods that differ for certain, each with ± of self and total. */
  private void certain(List<GroupComparison.Row> rows, List<Measure> measures, Set<Frame> shown)
      throws IOException {
    json.beginObject();
    for (Measure measure : measures) {
      Map<Frame, long[]> plusMinus = new TreeMap<>(Comparator.comparingInt(graphs::number));
      for (GroupComparison.Row row : rows) {
        if (row.isCertain() && row.measure() == measure && shown.contains(row.frame())) {
          plusMinus
                  .computeIfAbsent(row.frame(), added -> new long[] {-1, -1})[
                  row.column() == Column.TOTAL ? 1 : 0] =
              Math.round(row.verdict().plusMinus());
        }
      }
      json.name(Graphs.amounts(measure)).beginArray();
      for (Map.Entry<Frame, long[]> one : plusMinus.entrySet()) {
        json.beginArray().value(graphs.number(one.getKey()));
        json.value(one.getValue()[0]).value(one.getValue()[1]).endArray();
      }
      json.endArray();
    }
    json.endObject();
  }
}
