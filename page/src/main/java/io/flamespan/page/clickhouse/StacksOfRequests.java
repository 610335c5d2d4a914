/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTrees;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.StackRows;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.Tally;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The samples of all requests of some endpoints, which are fetched together. */
final class StacksOfRequests {
  private static final Measure[] MEASURES = Measure.values();
  private static final Range NONE = new Range(0, 0);

  private final StackTree tree =
      new StackTree(StackTree.limitFor(Runtime.getRuntime().maxMemory()));
  private final Frames frames = new Frames();

  // Rows, those of a request one after the other.
  private final IntArrayList stacks = new IntArrayList();
  private final IntArrayList measures = new IntArrayList();
  private final LongArrayList counts = new LongArrayList();
  private final LongArrayList amounts = new LongArrayList();

  private record Range(int begin, int end) {}

  private StacksOfRequests() {}

  static RequestStacks of(Query query, long endpoint) {
    List<Long> one = List.of(endpoint);
    Requests requests = new Requests(query, Query.keys(one), one, 0, Integer.MAX_VALUE, one);
    return Objects.requireNonNull(of(query, one, requests).get(endpoint));
  }

  /** By the keys of endpoints of which all requests were read. */
  static Map<Long, RequestStacks> of(Query query, List<Long> endpoints, Requests requests) {
    if (endpoints.isEmpty()) {
      return Map.of();
    }
    String keys = Query.keys(endpoints);
    StacksOfRequests read = new StacksOfRequests();
    Map<String, Range> ranges = read.fetch(query, keys);
    FlameTrees trees = new FlameTrees(read.tree, read.frames);
    Map<String, Map<String, String>> attributes = new HashMap<>();
    Map<Long, RequestStacks> stacks = new HashMap<>();
    for (long endpoint : endpoints) {
      List<EndpointResult.Dot> all = requests.all(endpoint);
      stacks.put(
          endpoint,
          new RequestStacks(
              all.size(),
              () -> all,
              () -> {
                if (attributes.isEmpty()) {
                  attributes.putAll(attributes(query, keys));
                }
                return all.stream().map(one -> attributes.getOrDefault(id(one), Map.of())).toList();
              },
              place -> read.rows(ranges.getOrDefault(id(all.get(place)), NONE)),
              read.tree,
              read.frames,
              trees));
    }
    return stacks;
  }

  /** By the ids of requests, of which those with the same ones share a map. */
  private static Map<String, Map<String, String>> attributes(Query query, String keys) {
    Map<String, Map<String, String>> found = new HashMap<>();
    Map<Map<String, String>, Map<String, String>> known = new HashMap<>();
    query.run(
        "page-request-attributes.sql",
        Map.of("endpoints", keys),
        row -> {
          List<String> names = row.getList("names");
          List<String> values = row.getList("values");
          Map<String, String> of = new TreeMap<>();
          for (int i = 0; i < names.size(); i++) {
            of.put(names.get(i), values.get(i));
          }
          found.put(
              row.getString("traceId") + row.getString("spanId"),
              known.computeIfAbsent(of, added -> added));
        });
    return found;
  }

  private static String id(EndpointResult.Dot request) {
    return request.traceId() + HexFormat.of().toHexDigits(request.spanId());
  }

  private Map<String, Range> fetch(Query query, String keys) {
    Map<String, Range> ranges = new HashMap<>();
    Long2IntOpenHashMap known = new Long2IntOpenHashMap();
    query.run(
        "page-request-stacks.sql",
        Map.of("endpoints", keys),
        row -> {
          long stack = row.getLong("stack");
          if (row.getLong("isFirst") != 0) {
            known.put(stack, Traces.stack(row, tree, frames));
          }
          int begin = stacks.size();
          add(known.get(stack), Query.tally(row));
          ranges.merge(
              row.getString("traceId") + row.getString("spanId"),
              new Range(begin, stacks.size()),
              (before, next) -> new Range(before.begin, next.end));
        });
    return ranges;
  }

  private void add(int stack, Tally tally) {
    for (Measure measure : MEASURES) {
      if (tally.count(measure) > 0) {
        stacks.add(stack);
        measures.add(measure.ordinal());
        counts.add(tally.count(measure));
        amounts.add(tally.amount(measure));
      }
    }
  }

  private StackRows rows(Range range) {
    return visitor -> {
      for (int row = range.begin; row < range.end; row++) {
        visitor.row(
            stacks.getInt(row),
            -1,
            MEASURES[measures.getInt(row)],
            counts.getLong(row),
            amounts.getLong(row));
      }
    };
  }
}
