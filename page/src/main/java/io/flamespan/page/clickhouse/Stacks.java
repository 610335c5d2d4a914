/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import com.clickhouse.client.api.data_formats.ClickHouseBinaryFormatReader;
import io.flamespan.page.results.ComparableName;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.FlameTrees;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.LineTally;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.Tally;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The flame graphs of endpoints, or of threads, limited to their largest frames. */
final class Stacks {
  private static final int NODES = 200_000; // of all endpoints together, as on a page
  private static final int LARGEST_TREE = 5_000;
  private static final Frame REST = new Frame("(smaller frames)", "", "");

  private record Row(int stack, Tally tally) {}

  private record Line(int frame, int line) {}

  /** The graph of an endpoint, built from frames that arrive after their callers. */
  private final class Graph {
    final List<Row> rows = new ArrayList<>();
    final Long2IntOpenHashMap stacks = new Long2IntOpenHashMap();
    final Map<Integer, Tally> rests = new HashMap<>();
    final Map<Line, Tally> lines = new HashMap<>();
    long leftOut;

    void add(ClickHouseBinaryFormatReader row) {
      long node = row.getLong("node");
      Tally all = Query.tally(row);
      int stack = StackTree.ROOT;
      if (node != 0) {
        int parent = stacks.get(row.getLong("parentNode"));
        Frame frame =
            new Frame(
                row.getString("name"),
                ComparableName.of(row.getString("file")),
                row.getString("kind"),
                row.getString("raw"));
        int number = frames.number(frame);
        stack = tree.child(parent, number);
        Objects.requireNonNull(rests.get(parent)).subtract(all);
        addLines(number, row);
      }
      stacks.put(node, stack);
      Tally own = row.getLong("isLast") == 0 ? new Tally() : Query.tally(row, "Self");
      all.subtract(own);
      rests.computeIfAbsent(stack, added -> new Tally()).add(all);
      rows.add(new Row(stack, own));
      leftOut = row.getLong("nodesOfAll") - stacks.size();
    }

    private void addLines(int frame, ClickHouseBinaryFormatReader row) {
      List<Integer> numbers = row.getList("lineNumbers");
      List<Long> cpuNanos = row.getList("lineCpuNanos");
      List<Long> waitNanos = row.getList("lineWaitNanos");
      for (int i = 0; i < numbers.size(); i++) {
        Tally tally = lines.computeIfAbsent(new Line(frame, numbers.get(i)), of -> new Tally());
        tally.add(Measure.CPU, 0, cpuNanos.get(i));
        tally.add(Measure.WAIT, 0, waitNanos.get(i));
      }
    }

    /** Attributes the rest of each frame to smaller frames, which were not fetched. */
    void finish() {
      rests.forEach(
          (stack, rest) -> {
            if (!rest.isEmpty()) {
              rows.add(new Row(tree.child(stack, frames.number(REST)), rest));
            }
          });
      rests.clear();
      stacks.clear();
    }
  }

  private final StackTree tree = new StackTree(2 * NODES + 1);
  private final Frames frames = new Frames();
  private final Map<Long, Graph> graphs = new HashMap<>();

  @SuppressWarnings("NullAway.Init") // by finish, once the tree is complete
  private FlameTrees trees;

  /**
   * Fetches the graphs of so many owners, whose keys are among the parameters, and of all others.
   */
  static Stacks of(Query query, String file, Map<String, Object> parameters, int owners) {
    Map<String, Object> all = new TreeMap<>(parameters);
    all.put("most", Math.min(LARGEST_TREE, NODES / (owners + 1)));
    Stacks stacks = new Stacks();
    query.run(file, all, stacks::add);
    stacks.finish();
    return stacks;
  }

  private void add(ClickHouseBinaryFormatReader row) {
    graphs.computeIfAbsent(row.getLong("owner"), added -> new Graph()).add(row);
  }

  private void finish() {
    graphs.values().forEach(Graph::finish);
    trees = new FlameTrees(tree, frames);
  }

  /** Of CPU time and waits, and only of frames that were fetched. */
  List<LineTally> lines(long owner) {
    List<LineTally> lines = new ArrayList<>();
    graphs
        .getOrDefault(owner, new Graph())
        .lines
        .forEach((of, tally) -> lines.add(new LineTally(frames.get(of.frame), of.line, tally)));
    return LineTally.sorted(lines);
  }

  FlameTree tree(long owner, String title, int mostNodes) {
    Graph graph = graphs.getOrDefault(owner, new Graph());
    FlameTree made =
        trees.of(
            title,
            visitor -> graph.rows.forEach(row -> visitor.rows(row.stack, -1, row.tally)),
            mostNodes);
    made.leaveOut(graph.leftOut);
    return made;
  }
}
