/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.comparison.GroupComparison;
import io.flamespan.page.comparison.Groups;
import io.flamespan.page.comparison.SlowRequests;
import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.TimeSlices;
import java.io.IOException;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The requests of an endpoint by duration. The groups have the form of time slices, so that the
 * page compares them like ranges of time. What differs by more than chance is decided here.
 */
final class SlowData implements RequestStacks.Visitor {
  private static final List<Column> COLUMNS = List.of(Column.SELF, Column.TOTAL);

  private final EndpointResult endpoint;
  private final Groups groups;
  private final TimeSlices slices;
  private final BitSet shown;
  private final GroupComparison comparison;
  private final SlowRequests slow;

  /**
   * Then receives what methods have.
   *
   * @param part see {@link SlowRequests#part}
   */
  SlowData(EndpointResult endpoint, RequestStacks stacks, int mostNodes, double part) {
    this.endpoint = endpoint;
    groups = Groups.byDuration(stacks);
    slices =
        stacks.slices(
            endpoint.name(), groups.of().stream().map(Groups.Group::places).toList(), mostNodes);
    shown = stacks.numbers(frames(slices.tree()));
    comparison = new GroupComparison(stacks, groups);
    slow = new SlowRequests(stacks, groups, comparison, endpoint.tally().ofTime(), part);
  }

  private static Set<Frame> frames(FlameTree tree) {
    Set<Frame> frames = new HashSet<>();
    for (int node = 1; node < tree.size(); node++) {
      frames.add(tree.frame(node));
    }
    return frames;
  }

  @Override
  public void method(int place, int frame, Column column, Measure measure, long amount) {
    if (column == Column.OWN || shown.get(frame)) {
      comparison.method(place, frame, column, measure, amount);
    }
  }

  void write(JsonWriter json, Graphs graphs) throws IOException {
    json.name("slow").beginObject();
    json.name("groups").beginArray();
    for (Groups.Group group : groups.of()) {
      json.value(group.name());
    }
    json.endArray();
    json.name("texts").beginArray();
    for (String name : groups.names()) {
      json.value(slow.text(groups.pair(name).orElseThrow(), text -> text));
    }
    json.endArray();
    json.name("first").value(groups.names().indexOf(name(slow.pair())));
    graphs.slices(slices);
    json.name("certain").beginArray();
    for (String name : groups.names()) {
      certain(json, graphs, groups.pair(name).orElseThrow());
    }
    json.endArray().endObject();
  }

  private String name(Groups.Pair pair) {
    return groups.names().stream()
        .filter(name -> groups.pair(name).orElseThrow().b().name().equals(pair.b().name()))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Writes by measure the methods that differ for certain, or have most of a kind that does, each
   * with ± of self and total.
   */
  private void certain(JsonWriter json, Graphs graphs, Groups.Pair pair) throws IOException {
    List<Measure> measures =
        endpoint.tally().measures().stream()
            .filter(one -> endpoint.tally().amount(one) > 0)
            .toList();
    double level = slow.level() / measures.size() / COLUMNS.size();
    json.beginObject();
    for (Measure measure : measures) {
      Map<Frame, long[]> plusMinus = new TreeMap<>(Comparator.comparingInt(graphs::number));
      for (int column = 0; column < COLUMNS.size(); column++) {
        for (GroupComparison.Row row : comparison.rows(pair, measure, COLUMNS.get(column), level)) {
          Optional<GroupComparison.Row> certain =
              row.isCertain() || COLUMNS.get(column) != Column.TOTAL
                  ? Optional.of(row).filter(GroupComparison.Row::isCertain)
                  : slow.kindOf(pair, row);
          if (certain.isPresent()) {
            plusMinus.computeIfAbsent(row.frame(), added -> new long[] {-1, -1})[column] =
                Math.round(certain.get().verdict().plusMinus());
          }
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
