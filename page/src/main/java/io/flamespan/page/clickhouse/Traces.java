/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import com.clickhouse.client.api.data_formats.ClickHouseBinaryFormatReader;
import io.flamespan.page.results.ComparableName;
import io.flamespan.page.results.FlameTrees;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.TraceSpan;
import io.flamespan.page.timeline.Measured;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The traces of the largest requests, fetched in batches, of which one is in memory. Each is
 * fetched once if they are asked for in the order of their ids.
 */
final class Traces {
  private static final int FETCHED_AT_ONCE = 1_000;

  private final Query query;
  private final List<String> ids;
  private final Map<String, ClickHouseTrace> traces = new LinkedHashMap<>();
  private Map<String, ClickHouseTrace.Content> fetched = Map.of();

  Traces(Query query, List<String> ids) {
    this.query = query;
    this.ids = ids.stream().distinct().toList();
    this.ids.forEach(id -> traces.put(id, new ClickHouseTrace(id, this)));
  }

  ClickHouseTrace trace(String id) {
    return Objects.requireNonNull(traces.get(id));
  }

  ClickHouseTrace.Content content(String id) {
    if (!fetched.containsKey(id)) {
      int first = ids.indexOf(id) / FETCHED_AT_ONCE * FETCHED_AT_ONCE;
      fetched = Map.of(); // frees memory for the next batch
      fetched = fetch(ids.subList(first, Math.min(ids.size(), first + FETCHED_AT_ONCE)));
    }
    return Objects.requireNonNull(fetched.get(id));
  }

  private Map<String, ClickHouseTrace.Content> fetch(List<String> some) {
    StackTree tree = new StackTree(StackTree.limitFor(Runtime.getRuntime().maxMemory()));
    Frames frames = new Frames();
    Map<String, ClickHouseTrace.Content> contents = new HashMap<>();
    some.forEach(id -> contents.put(id, new ClickHouseTrace.Content()));
    Map<String, Object> parameters = Map.of("traces", Engine.array(some));
    Map<String, Object> ofSpans = new HashMap<>(TimeLines.patterns());
    ofSpans.putAll(parameters);
    TimeLines timeLines = query.timeLines();
    timeLines.readRequests();
    ClickHouseTrace.Content[] last = {new ClickHouseTrace.Content()};
    query.run(
        "page-traces.sql",
        ofSpans,
        row -> {
          ClickHouseTrace.Content content =
              Objects.requireNonNull(contents.get(row.getString("traceId")));
          if (content != last[0]) { // forgets the samples of the trace before
            last[0].measure();
            last[0] = content;
          }
          content.add(
              new TraceSpan(
                  id(row.getString("spanId")),
                  id(row.getString("parentId")),
                  row.getString("name"),
                  row.getString("service"),
                  row.getLong("start"),
                  row.getLong("duration"),
                  row.getLong("isRoot") != 0,
                  row.getLong("failed") != 0,
                  Query.tally(row),
                  new Measured(row.getLong("duration"))),
              id(row.getString("rootId")),
              timeLines.ofSpan(row));
        });
    last[0].measure();
    Long2IntOpenHashMap known = new Long2IntOpenHashMap();
    query.run(
        "page-trace-stacks.sql",
        parameters,
        row -> {
          long stack = row.getLong("stack");
          if (row.getLong("isFirst") != 0) {
            known.put(stack, stack(row, tree, frames));
          }
          Objects.requireNonNull(contents.get(row.getString("traceId")))
              .add(id(row.getString("spanId")), known.get(stack), Query.tally(row));
        });
    FlameTrees trees = new FlameTrees(tree, frames);
    contents.values().forEach(content -> content.setTrees(trees));
    return contents;
  }

  /** Drops the innermost frames if the tree is full. */
  static int stack(ClickHouseBinaryFormatReader row, StackTree tree, Frames frames) {
    List<String> names = row.getList("names");
    List<String> files = row.getList("files");
    List<String> kinds = row.getList("kinds");
    List<String> rawNames = row.getList("rawNames");
    int node = StackTree.ROOT;
    for (int i = 0; i < names.size(); i++) {
      int child =
          tree.child(
              node,
              frames.number(
                  new Frame(
                      names.get(i),
                      ComparableName.of(files.get(i)),
                      kinds.get(i),
                      rawNames.get(i))));
      if (child < 0) {
        break;
      }
      node = child;
    }
    return node;
  }

  private static long id(String hexadecimal) {
    return hexadecimal.isEmpty() ? 0 : Long.parseUnsignedLong(hexadecimal, 16);
  }
}
