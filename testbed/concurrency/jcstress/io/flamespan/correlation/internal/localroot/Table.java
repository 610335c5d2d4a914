/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import io.flamespan.correlation.concurrency.Spans;
import org.jspecify.annotations.Nullable;

/** A table, and numbered local roots for it. */
final class Table {
  private static final String TRACE_ID = Spans.newTraceId();

  private final LocalRootTable table;

  Table(int maxSize) {
    table = new LocalRootTable(maxSize);
  }

  /** Returns a new local root whose ids are derived from this number. */
  static LocalRoot root(int number) {
    LocalRoot root = new LocalRoot();
    boolean unused = root.open(Spans.context(TRACE_ID, number + 1));
    return root;
  }

  boolean add(LocalRoot root) {
    return table.add(LocalRootTable.hash(root), root);
  }

  void remove(LocalRoot root) {
    table.remove(LocalRootTable.hash(root), root);
  }

  /** Returns whether the ids lead to this very object. */
  boolean has(LocalRoot root) {
    return find(root) == root;
  }

  @Nullable LocalRoot find(LocalRoot root) {
    return table.find(
        LocalRootTable.hash(root), root.traceIdHigh(), root.traceIdLow(), root.spanId());
  }

  int size() {
    return table.size();
  }
}
