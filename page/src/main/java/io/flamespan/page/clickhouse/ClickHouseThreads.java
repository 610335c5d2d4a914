/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.LineTally;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.ThreadResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The threads with samples without a Link. The graphs are fetched on demand. */
final class ClickHouseThreads {
  private static final long OTHERS = 0;

  private record Row(String process, String name, long key, Tally tally) {}

  private final Query query;
  private final List<Row> rows = new ArrayList<>();
  private int fetched;
  private @Nullable Stacks stacks;

  ClickHouseThreads(Query query) {
    this.query = query;
    query.run(
        "page-threads.sql",
        row ->
            rows.add(
                new Row(
                    row.getString("process"),
                    row.getString("thread"),
                    row.getLong("key"),
                    Query.tally(row))));
  }

  List<ThreadResult> shown(int most) {
    int alone = Math.min(most, rows.size());
    List<ThreadResult> shown = new ArrayList<>();
    rows.subList(0, alone).forEach(row -> shown.add(new Shown(row, alone)));
    if (alone < rows.size()) {
      Tally tally = new Tally();
      rows.subList(alone, rows.size()).forEach(row -> tally.add(row.tally));
      String name = "(" + (rows.size() - alone) + " others)";
      shown.add(new Shown(new Row("", name, OTHERS, tally), alone));
    }
    return shown;
  }

  private Stacks stacks(int alone) {
    if (stacks == null || fetched != alone) {
      String keys = Query.keys(rows.subList(0, alone).stream().map(Row::key).toList());
      stacks = Stacks.of(query, "page-thread-stacks.sql", Map.of("threads", keys), alone);
      fetched = alone;
    }
    return stacks;
  }

  private final class Shown implements ThreadResult {
    private final Row row;
    private final int alone;

    Shown(Row row, int alone) {
      this.row = row;
      this.alone = alone;
    }

    @Override
    public String process() {
      return row.process;
    }

    @Override
    public String name() {
      return row.name;
    }

    @Override
    public Tally tally() {
      return row.tally;
    }

    @Override
    public FlameTree tree(int mostNodes) {
      return stacks(alone).tree(row.key, row.name, mostNodes);
    }

    @Override
    public List<LineTally> lines() {
      return stacks(alone).lines(row.key);
    }
  }
}
