/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2LongMap;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import java.util.Set;

/** What methods have in one request after the other. */
final class MethodsOfRequest {
  private static final Measure[] MEASURES = Measure.values();
  private static final Column[] COLUMNS = Column.values();
  private static final int NONE = -1;

  /** Receives what a method has in the request. */
  @FunctionalInterface
  interface Visitor {
    void method(int frame, Column column, Measure measure, long amount);
  }

  private final StackTree stacks;
  private final Frames frames;
  private final Set<Column> columns;
  private final OwnCode own;
  private final byte[] known; // by frame: 1 if it is own, -1 if it is not, 0 if that was not asked
  private final Int2LongOpenHashMap amounts = new Int2LongOpenHashMap();
  private final Int2IntOpenHashMap lastRow = new Int2IntOpenHashMap(); // by frame
  private int row;

  MethodsOfRequest(StackTree stacks, Frames frames, Set<Column> columns, OwnCode own) {
    this.stacks = stacks;
    this.frames = frames;
    this.columns = columns;
    this.own = own;
    this.known = new byte[columns.contains(Column.OWN) ? frames.size() : 0];
  }

  /** The innermost frame of own code. */
  private int own(int stack) {
    int node = stack;
    while (node != StackTree.ROOT && !isOwn(stacks.frame(node))) {
      node = stacks.parent(node);
    }
    return node == StackTree.ROOT ? NONE : stacks.frame(node);
  }

  private boolean isOwn(int frame) {
    if (known[frame] == 0) {
      boolean is = !frames.get(frame).isClass() && own.isOwn(frames.get(frame));
      known[frame] = (byte) (is ? 1 : -1);
    }
    return known[frame] > 0;
  }

  /** A row of the request that {@link #end} ends. */
  void add(int stack, Measure measure, long amount) {
    if (stack == StackTree.ROOT || amount == 0) {
      return;
    }
    if (columns.contains(Column.SELF)) {
      int leaf = stacks.frame(stack);
      int above = stacks.parent(stack);
      amounts.addTo(key(leaf, measure, Column.SELF), amount);
      if (frames.get(leaf).isClass() && above != StackTree.ROOT) {
        amounts.addTo(key(stacks.frame(above), measure, Column.SELF), amount);
      }
    }
    int ofOwn = columns.contains(Column.OWN) ? own(stack) : NONE;
    if (ofOwn != NONE) {
      amounts.addTo(key(ofOwn, measure, Column.OWN), amount);
    }
    row++;
    for (int node = columns.contains(Column.TOTAL) ? stack : StackTree.ROOT;
        node != StackTree.ROOT;
        node = stacks.parent(node)) {
      int frame = stacks.frame(node);
      if (lastRow.put(frame, row) != row) {
        amounts.addTo(key(frame, measure, Column.TOTAL), amount);
      }
    }
  }

  private static int key(int frame, Measure measure, Column column) {
    return (frame * Measure.COUNT + measure.ordinal()) * Column.COUNT + column.ordinal();
  }

  /** Passes on what the request has, and forgets it. */
  void end(Visitor visitor) {
    for (Int2LongMap.Entry entry : amounts.int2LongEntrySet()) {
      int place = entry.getIntKey() / Column.COUNT;
      visitor.method(
          place / Measure.COUNT,
          COLUMNS[entry.getIntKey() % Column.COUNT],
          MEASURES[place % Measure.COUNT],
          entry.getLongValue());
    }
    amounts.clear();
  }
}
