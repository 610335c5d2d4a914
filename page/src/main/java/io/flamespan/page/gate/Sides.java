/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The runs before a change, A, and after it, B. */
public record Sides(List<Run> a, List<Run> b) {
  record Key(String name, String service) {}

  /** What each process did at these ages, which should be the same in all runs. */
  Sides within(long from, long to) {
    return new Sides(
        a.stream().map(run -> run.within(from, to)).toList(),
        b.stream().map(run -> run.within(from, to)).toList());
  }

  List<Run> runs() {
    return Stream.concat(a.stream(), b.stream()).toList();
  }

  boolean runIsUnit() {
    return a.size() > 1 && b.size() > 1;
  }

  /** Whether no side has all of its runs before those of the other. */
  boolean takeTurns() {
    return !isBefore(a, b) && !isBefore(b, a);
  }

  private static boolean isBefore(List<Run> some, List<Run> others) {
    long last = some.stream().mapToLong(Run::beginNanos).max().orElse(0);
    return others.stream().allMatch(run -> run.beginNanos() > last);
  }

  /** Of the shortest run. */
  double seconds() {
    return runs().stream().mapToDouble(Run::seconds).min().orElse(0);
  }

  long requests() {
    return runs().stream().mapToLong(Run::requests).sum();
  }

  /** The endpoints of all runs of a side, with the requests of which a cost is known. */
  static Map<Key, List<EndpointCosts>> endpoints(List<Run> runs, Cost cost) {
    Map<Key, List<EndpointCosts>> found = endpoints(runs);
    found.replaceAll(
        (key, all) ->
            all.stream().map(one -> one.known(cost)).filter(one -> one.requests() > 0).toList());
    found.values().removeIf(List::isEmpty);
    return found;
  }

  /** The endpoints of all runs of a side. */
  static Map<Key, List<EndpointCosts>> endpoints(List<Run> runs) {
    Map<Key, List<EndpointCosts>> found = new LinkedHashMap<>();
    for (Run run : runs) {
      for (EndpointCosts one : run.endpoints()) {
        found
            .computeIfAbsent(new Key(one.name(), one.service()), added -> new ArrayList<>())
            .add(one);
      }
    }
    return found;
  }
}
