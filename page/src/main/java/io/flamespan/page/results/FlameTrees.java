/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Builds flame graphs of bounded size: small frames are summed up in their place. For one thread.
 * The tree of all stacks must not grow afterwards.
 */
public final class FlameTrees {
  private static final Frame REST = new Frame("(smaller frames)", "", "");
  private static final int IN_A_REST = -1; // in place of a number, of a small frame

  private final StackTree stacks;
  private final Frames frames;

  // By node of the tree of all stacks. Zero between two graphs.
  private final long[][] counts = new long[Measure.COUNT][]; // null until a row has the measure
  private final long[][] amounts = new long[Measure.COUNT][];
  private final BitSet touched;

  // By node of the tree of all stacks: its depth, and a hash of the frames on its path. Empty until
  // some of equal frames have no room.
  private long[] order = {};

  // Of the last graph, by node of the tree of all stacks that has samples in or below it.
  private final int[] shown; // the number of the node of the graph that has its samples
  private final int[] rests; // the number of the one that sums up small children, 0 without any

  public FlameTrees(StackTree stacks, Frames frames) {
    this.stacks = stacks;
    this.frames = frames;
    this.touched = new BitSet(stacks.size());
    this.shown = new int[stacks.size()];
    this.rests = new int[stacks.size()];
  }

  public FlameTree of(String title, StackRows rows, int mostNodes) {
    int[] nodes = sum(rows);
    FlameTree tree = pruned(title, nodes, new Sizes(nodes), mostNodes);
    clear(nodes);
    return tree;
  }

  /**
   * The graph and its samples by bins. Has fewer nodes if there would be too many cells, in the
   * extreme only those with all samples of a measure, which are not counted. Rows without a bin are
   * only in the graph.
   */
  public TimeSlices sliced(
      String title, StackRows rows, TimeSlices.Bins bins, int mostNodes, int mostCells) {
    int[] nodes = sum(rows);
    Sizes sizes = new Sizes(nodes);
    FlameTree tree = pruned(title, nodes, sizes, sizes.shared() + mostNodes);
    Long2ObjectOpenHashMap<Tally> cells = cells(rows, mostCells);
    if (cells.size() > mostCells) {
      int fits = 0;
      int tooMany = mostNodes;
      while (tooMany - fits > 1 + fits / 16) {
        int limit = Math.max(fits + 1, (int) Math.sqrt((double) fits * tooMany));
        pruned(title, nodes, sizes, sizes.shared() + limit);
        if (cells(rows, mostCells).size() > mostCells) {
          tooMany = limit;
        } else {
          fits = limit;
        }
      }
      tree = pruned(title, nodes, sizes, sizes.shared() + fits);
      cells = cells(rows, Integer.MAX_VALUE);
    }
    clear(nodes);
    return new TimeSlices(bins, tree, cells);
  }

  /** Not all of them, but more than so many, if there are more. */
  private Long2ObjectOpenHashMap<Tally> cells(StackRows rows, int most) {
    Long2ObjectOpenHashMap<Tally> cells = new Long2ObjectOpenHashMap<>();
    rows.forEach(
        (stack, bin, measure, count, amount) -> {
          // A sample of no CPU time is only in its bin, of which the number of samples is known.
          if (bin >= 0 && cells.size() <= most && (measure == Measure.CPU ? amount : count) > 0) {
            cells
                .computeIfAbsent(TimeSlices.cell(bin, shown[stack]), cell -> new Tally())
                .add(measure, count, amount);
          }
        });
    return cells;
  }

  /** The nodes that have samples in or below them, in ascending order. */
  private int[] sum(StackRows rows) {
    touch(StackTree.ROOT);
    rows.forEach(
        (stack, bin, measure, count, amount) -> {
          int of = measure.ordinal();
          if (counts[of] == null) {
            counts[of] = new long[stacks.size()];
            amounts[of] = new long[stacks.size()];
          }
          counts[of][stack] += count;
          amounts[of][stack] += amount;
          touch(stack);
        });
    int[] sorted = touched();
    for (long[][] values : List.of(counts, amounts)) {
      for (long[] ofMeasure : values) {
        for (int i = ofMeasure == null ? 0 : sorted.length - 1; i > 0; i--) {
          ofMeasure[stacks.parent(sorted[i])] += ofMeasure[sorted[i]];
        }
      }
    }
    return sorted;
  }

  private int[] touched() {
    int[] nodes = new int[touched.cardinality()];
    int node = StackTree.ROOT;
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = touched.nextSetBit(node);
      node = nodes[i] + 1;
    }
    return nodes;
  }

  private void clear(int[] nodes) {
    touched.clear();
    for (long[][] values : List.of(counts, amounts)) {
      for (long[] ofMeasure : values) {
        for (int i = ofMeasure == null ? nodes.length : 0; i < nodes.length; i++) {
          ofMeasure[nodes[i]] = 0;
        }
      }
    }
  }

  private void touch(int leaf) {
    for (int node = leaf; node >= 0 && !touched.get(node); node = stacks.parent(node)) {
      touched.set(node);
    }
  }

  /** The nodes are in ascending order, so that each parent comes before its children. */
  private FlameTree pruned(String title, int[] nodes, Sizes sizes, int limit) {
    boolean[] kept = sizes.largest(limit);
    FlameTree tree = new FlameTree(title);
    grow(tree, 0, StackTree.ROOT);
    shown[StackTree.ROOT] = 0;
    rests[StackTree.ROOT] = 0;
    for (int i = 1; i < nodes.length; i++) {
      int node = nodes[i];
      int parent = stacks.parent(node);
      rests[node] = kept[i] ? 0 : IN_A_REST;
      if (kept[i]) {
        shown[node] = tree.add(shown[parent], frames.get(stacks.frame(node)));
        grow(tree, shown[node], node);
        continue;
      }
      tree.leaveOut(1);
      if (rests[parent] == IN_A_REST) {
        shown[node] = shown[parent];
        continue;
      }
      if (rests[parent] == 0) {
        rests[parent] = tree.add(shown[parent], REST);
      }
      shown[node] = rests[parent];
      grow(tree, rests[parent], node);
    }
    return tree;
  }

  private void grow(FlameTree tree, int number, int node) {
    for (Measure measure : Measure.values()) {
      int of = measure.ordinal();
      if (counts[of] != null) {
        tree.grow(number, measure, counts[of][node], amounts[of][node]);
      }
    }
  }

  /** The largest of the shares of all measures. */
  private double size(int node) {
    double largest = 0;
    for (long[] ofMeasure : amounts) {
      if (ofMeasure != null) {
        double share = (double) ofMeasure[node] / Math.max(1, ofMeasure[StackTree.ROOT]);
        largest = Math.max(largest, share);
      }
    }
    return largest;
  }

  /**
   * Of equal frames, callers come first, and then what only names and files decide, and then kinds,
   * which ClickHouse has not.
   */
  private long[] order() {
    if (order.length == 0) {
      order = new long[stacks.size()];
      long[] hashes = new long[order.length];
      int[] kinds = new int[order.length];
      for (int node = 1; node < order.length; node++) {
        int parent = stacks.parent(node);
        Frame frame = frames.get(stacks.frame(node));
        long one = 31L * frame.name().hashCode() + frame.file().hashCode();
        long mixed = (hashes[parent] ^ one) * 0x9E3779B97F4A7C15L;
        hashes[node] = mixed ^ mixed >>> 32;
        kinds[node] = 31 * kinds[parent] + frame.kind().hashCode();
        long depth = (order[parent] >>> 40) + 1;
        order[node] = depth << 40 | (hashes[node] & 0xFFFFFFFFL) << 8 | (kinds[node] & 0xFF);
      }
    }
    return order;
  }

  /** The sorted sizes of nodes, kept because several limits use them. */
  private final class Sizes {
    private final int[] nodes;
    private final double[] sizes;
    private double[] ascending = {}; // until a limit needs them

    Sizes(int[] nodes) {
      this.nodes = nodes;
      sizes = new double[nodes.length];
      Arrays.setAll(sizes, i -> size(nodes[i]));
    }

    /** The largest size of which there is not room for all, or -1. */
    private double least(int limit) {
      if (limit >= sizes.length) {
        return -1;
      }
      if (ascending.length == 0) {
        ascending = sizes.clone();
        Arrays.sort(ascending);
      }
      return ascending[sizes.length - limit];
    }

    /** How many nodes have all of a measure. */
    int shared() {
      int shared = 0;
      for (double size : sizes) {
        shared += size == 1 ? 1 : 0;
      }
      return Math.max(1, shared);
    }

    /** A parent is at least as large as its children, and is kept first if they are equal. */
    boolean[] largest(int limit) {
      boolean[] kept = new boolean[sizes.length];
      double least = least(limit);
      int room = limit;
      IntArrayList equal = new IntArrayList(); // places of nodes
      for (int i = 0; i < sizes.length; i++) {
        kept[i] = sizes[i] > least;
        room -= kept[i] ? 1 : 0;
        if (sizes[i] == least) {
          equal.add(i);
        }
      }
      long last = last(equal, room);
      for (int i : equal) {
        kept[i] = order()[nodes[i]] < last;
        room -= kept[i] ? 1 : 0;
      }
      for (int i : equal) {
        if (order()[nodes[i]] == last && room-- > 0) {
          kept[i] = true;
        }
      }
      return kept;
    }

    /** The order of the last of equal nodes that has room. */
    private long last(IntArrayList equal, int room) {
      long[] orders = new long[equal.size()];
      Arrays.setAll(orders, i -> order()[nodes[equal.getInt(i)]]);
      Arrays.sort(orders);
      return orders.length == 0 ? 0 : orders[room - 1];
    }
  }
}
