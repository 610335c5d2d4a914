/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.comparison.Groups;
import io.flamespan.page.comparison.SlowRequests;
import io.flamespan.page.comparison.Splits;
import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.RequestStacks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The requests of an endpoint by duration, by the attributes and parts that tell the most, and one
 * by one.
 */
final class SlowData implements RequestStacks.Visitor {
  private final GroupsData byDuration;
  private final Map<String, GroupsData> splits = new LinkedHashMap<>();
  private final List<GroupsData> all = new ArrayList<>();
  private final BitSet shown = new BitSet(); // methods in the graph of any
  private final int leftOut;
  private final Optional<BoxData> box;

  /**
   * Then receives what methods have. Attributes and parts divide a level like that of durations.
   *
   * @param ofBox if there is room for attributes, parts and single requests
   * @param part see {@link SlowRequests#part}
   */
  SlowData(
      EndpointResult endpoint,
      RequestStacks stacks,
      PageLimits limits,
      Optional<BoxLimits> ofBox,
      double part) {
    byDuration =
        new GroupsData(endpoint, stacks, Groups.byDuration(stacks), limits.groupNodes(), part);
    Splits found = ofBox.isPresent() ? Splits.of(stacks) : Splits.NONE;
    for (Splits.Split split : found.shown()) {
      double ofSplit = part / found.possible();
      splits.put(
          split.by(),
          new GroupsData(endpoint, stacks, split.groups(), limits.splitNodes(), ofSplit));
    }
    all.add(byDuration);
    all.addAll(splits.values());
    all.forEach(groups -> shown.or(groups.shown()));
    leftOut = found.possible() - splits.size();
    box = ofBox.map(most -> new BoxData(endpoint.name(), stacks, limits.sliceNodes(), most));
  }

  @Override
  public void method(int place, int frame, Column column, Measure measure, long amount) {
    if (column == Column.OWN || shown.get(frame)) {
      for (GroupsData groups : all) {
        groups.method(place, frame, column, measure, amount);
      }
    }
  }

  void write(JsonWriter json, Graphs graphs) throws IOException {
    json.name("slow").beginObject();
    byDuration.write(json, graphs);
    json.endObject();
    json.name("splits").beginArray();
    for (Map.Entry<String, GroupsData> split : splits.entrySet()) {
      json.beginObject();
      json.name("by").value(Graphs.cut(split.getKey()));
      split.getValue().write(json, graphs);
      json.endObject();
    }
    json.endArray();
    json.name("splitsLeftOut").value(leftOut);
    if (box.isPresent()) {
      box.get().write(json, graphs);
    }
  }
}
