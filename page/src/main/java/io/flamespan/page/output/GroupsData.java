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
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.TimeSlices;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Groups of the requests of an endpoint. They have the form of time slices, so that the page
 * compares them like ranges of time. What differs by more than chance is decided here.
 */
final class GroupsData implements RequestStacks.Visitor {
  private static final List<Column> COLUMNS = List.of(Column.SELF, Column.TOTAL);
  private static final int MOST_VALUES = 6; // of an attribute

  private final EndpointResult endpoint;
  private final Groups groups;
  private final List<String> names; // of the pairs that are written
  private final List<Groups.Group> shownGroups;
  private final TimeSlices slices;
  private final BitSet shown;
  private final GroupComparison comparison;
  private final SlowRequests slow;

  /**
   * Then receives what methods have.
   *
   * @param part see {@link SlowRequests#part}
   */
  GroupsData(
      EndpointResult endpoint, RequestStacks stacks, Groups groups, int mostNodes, double part) {
    this.endpoint = endpoint;
    this.groups = groups;
    names = groups.byAmount() ? groups.names() : largest(groups, stacks.all());
    shownGroups = groups.byAmount() ? groups.of() : withSumOfOthers(groups, names);
    slices =
        stacks.slices(
            endpoint.name(),
            shownGroups.stream().map(Groups.Group::places).toList(),
            mostNodes,
            shownGroups.size() * mostNodes);
    shown = stacks.numbers(slices.tree().frames());
    comparison = new GroupComparison(stacks, groups);
    slow = new SlowRequests(stacks, groups, comparison, endpoint.tally().ofTime(), part);
  }

  /** The values whose requests have the most time more or less than others, the slowest first. */
  private static List<String> largest(Groups groups, List<EndpointResult.Dot> all) {
    int requests = groups.of().stream().mapToInt(group -> group.places().length).sum();
    double mean = groups.of().stream().mapToDouble(group -> sum(group, all)).sum() / requests;
    Set<Groups.Group> largest =
        groups.of().stream()
            .filter(group -> Math.min(group.places().length, requests - group.places().length) >= 2)
            .sorted(
                Comparator.comparingDouble(
                    group -> -Math.abs(sum(group, all) - mean * group.places().length)))
            .limit(MOST_VALUES)
            .collect(Collectors.toSet());
    return groups.of().stream().filter(largest::contains).map(Groups.Group::name).toList();
  }

  private static double sum(Groups.Group group, List<EndpointResult.Dot> all) {
    return Arrays.stream(group.places()).mapToDouble(place -> all.get(place).durationNanos()).sum();
  }

  /** The groups of these names, and one of all others if there are any. */
  private static List<Groups.Group> withSumOfOthers(Groups groups, List<String> names) {
    List<Groups.Group> shown = new ArrayList<>();
    List<Groups.Group> others = new ArrayList<>();
    groups.of().forEach(group -> (names.contains(group.name()) ? shown : others).add(group));
    if (!others.isEmpty()) {
      shown.add(
          new Groups.Group(
              others.size() == 1 ? "(1 other value)" : "(" + others.size() + " other values)",
              others.stream().flatMapToInt(group -> Arrays.stream(group.places())).toArray()));
    }
    return shown;
  }

  @Override
  public void method(int place, int frame, Column column, Measure measure, long amount) {
    if (column == Column.OWN || shown.get(frame)) {
      comparison.method(place, frame, column, measure, amount);
    }
  }

  /** The methods that are in the graph. */
  BitSet shown() {
    return shown;
  }

  /** Writes the members of an object. */
  void write(JsonWriter json, Graphs graphs) throws IOException {
    List<Groups.Pair> pairs = names.stream().map(name -> groups.pair(name).orElseThrow()).toList();
    json.name("names").beginArray();
    for (String name : names) {
      json.value(name);
    }
    json.endArray();
    json.name("groups").beginArray();
    for (Groups.Group group : shownGroups) {
      json.value(group.name());
    }
    json.endArray();
    json.name("texts").beginArray();
    for (Groups.Pair pair : pairs) {
      json.value(slow.text(pair, text -> text.replace('`', '\'')));
    }
    json.endArray();
    List<Groups.Pair> ordered = new ArrayList<>(pairs);
    if (groups.byAmount()) {
      Collections.reverse(ordered);
    }
    Groups.Pair first = slow.pair(ordered);
    json.name("first").value(pairs.indexOf(first));
    // That requests with the most of a part have more of its kind is no news.
    json.name("differs")
        .value(slow.causes(first).stream().anyMatch(row -> !groups.byAmount() || !row.ofKind()));
    graphs.slices(slices);
    json.name("certain").beginArray();
    for (Groups.Pair pair : pairs) {
      certain(json, graphs, pair);
    }
    json.endArray();
  }

  /**
   * No more than the row itself differs, and rounded down, so that it is certain as it is shown.
   */
  private static long plusMinus(GroupComparison.Row row, GroupComparison.Row certain) {
    double difference = row.verdict().difference();
    double plusMinus = Math.min(Math.abs(difference), certain.verdict().plusMinus());
    return (long) (Math.signum(difference) * Math.max(1, plusMinus));
  }

  /**
   * Writes by measure the methods that differ for certain, or have most of a kind that does, each
   * with ± of self and total: less than 0 if it is less, 0 if that is not certain.
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
            plusMinus.computeIfAbsent(row.frame(), added -> new long[2])[column] =
                plusMinus(row, certain.get());
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
