/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Set;

/** What methods have in one request after the other. */
final class MethodsOfRequest {
  private static final Measure[] MEASURES = Measure.values();
  private static final Column[] COLUMNS = Column.values();
  private static final int NONE = -1;

  private final StackTree stacks;
  private final Frames frames;
  private final boolean self;
  private final boolean total;
  private final boolean ofOwn;
  private final OwnCode own;
  private final byte[] known; // by frame: 1 if it is own, -1 if it is not, 0 if that was not asked
  private final long[][] amounts = new long[Measure.COUNT * Column.COUNT][]; // by frame, or null
  private final IntArrayList present = new IntArrayList(); // the keys of amounts
  private final int[] lastRow; // by frame
  private int row;

  MethodsOfRequest(StackTree stacks, Frames frames, Set<Column> columns, OwnCode own) {
    this.stacks = stacks;
    this.frames = frames;
    this.self = columns.contains(Column.SELF);
    this.total = columns.contains(Column.TOTAL);
    this.ofOwn = columns.contains(Column.OWN);
    this.own = own;
    this.known = new byte[ofOwn ? frames.size() : 0];
    this.lastRow = new int[total ? frames.size() : 0];
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
    if (self) {
      int leaf = stacks.frame(stack);
      int above = stacks.parent(stack);
      add(leaf, measure, Column.SELF, amount);
      if (frames.get(leaf).isClass() && above != StackTree.ROOT) {
        add(stacks.frame(above), measure, Column.SELF, amount);
      }
    }
    int innermost = ofOwn ? own(stack) : NONE;
    if (innermost != NONE) {
      add(innermost, measure, Column.OWN, amount);
    }
    if (!total) {
      return;
    }
    row++;
    for (int node = stack; node != StackTree.ROOT; node = stacks.parent(node)) {
      int frame = stacks.frame(node);
      if (lastRow[frame] != row) {
        lastRow[frame] = row;
        add(frame, measure, Column.TOTAL, amount);
      }
    }
  }

  private long[] amounts(Measure measure, Column column) {
    int place = measure.ordinal() * Column.COUNT + column.ordinal();
    long[] known = amounts[place];
    if (known == null) {
      known = new long[frames.size()];
      amounts[place] = known;
    }
    return known;
  }

  private void add(int frame, Measure measure, Column column, long amount) {
    long[] to = amounts(measure, column);
    if (to[frame] == 0) {
      present.add(key(frame, measure, column));
    }
    to[frame] += amount;
  }

  private static int key(int frame, Measure measure, Column column) {
    return (frame * Measure.COUNT + measure.ordinal()) * Column.COUNT + column.ordinal();
  }

  /** Passes on what the request at this place has, and forgets it. */
  void end(int place, RequestStacks.Visitor visitor) {
    for (int i = 0; i < present.size(); i++) {
      int key = present.getInt(i);
      Column column = COLUMNS[key % Column.COUNT];
      Measure measure = MEASURES[key / Column.COUNT % Measure.COUNT];
      int frame = key / Column.COUNT / Measure.COUNT;
      long[] of = amounts(measure, column);
      visitor.method(place, frame, column, measure, of[frame]);
      of[frame] = 0;
    }
    present.clear();
  }
}
