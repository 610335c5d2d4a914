/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;

/**
 * All stacks, merged at their roots. The number of its leaf's node identifies a stack. A parent has
 * a smaller number than its children.
 */
public final class StackTree {
  public static final int ROOT = 0;

  private final int limit;
  private final Long2IntOpenHashMap children = new Long2IntOpenHashMap();
  private final IntArrayList parents = new IntArrayList();
  private final IntArrayList frames = new IntArrayList();
  private final IntArrayList lastChildren = new IntArrayList(); // that were asked for, or -1

  public StackTree(int limit) {
    this.limit = limit;
    children.defaultReturnValue(-1);
    parents.add(-1);
    frames.add(-1);
    lastChildren.add(-1);
  }

  /** The number of nodes that a heap of this size has room for, besides everything else. */
  public static int limitFor(long heapBytes) {
    return (int) Math.min(heapBytes / 256, 1 << 26);
  }

  /** The node of this frame below the node; -1 if it would be new and the limit is reached. */
  public int child(int node, int frame) {
    int last = lastChildren.getInt(node); // the only one of most nodes
    if (last >= 0 && frames.getInt(last) == frame) {
      return last;
    }
    long key = (long) node << 32 | frame;
    int child = children.get(key);
    if (child < 0) {
      if (parents.size() >= limit) {
        return child;
      }
      child = parents.size();
      children.put(key, child);
      parents.add(node);
      frames.add(frame);
      lastChildren.add(-1);
    }
    lastChildren.set(node, child);
    return child;
  }

  public int parent(int node) {
    return parents.getInt(node);
  }

  public int frame(int node) {
    return frames.getInt(node);
  }

  public int size() {
    return parents.size();
  }
}
