/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongArrays;

/**
 * Shares the time of a request between its threads. A moment belongs to the threads of the first
 * layer that has any, in equal parts. The samples of one thread take nothing from each other.
 */
final class Sharing {
  /** What a thread did, with what comes first. */
  enum Layer {
    CPU,
    /** On CPU or ready. It takes from waits, but has its own sum beside that of {@link #CPU}. */
    RUNNABLE,
    WAIT,
    /** A wait for another thread. */
    WAIT_FOR_THREAD,
    /** As {@link #WAIT}, by samples of locks. */
    LOCK,
    /** As {@link #WAIT_FOR_THREAD}, by samples of locks. */
    LOCK_FOR_THREAD
  }

  private static final int LAYERS = Layer.values().length;

  /** Threads, of which only their number and the last one are asked for. */
  private static final class Threads {
    private final int[] uses;
    private int count;
    private long sum;

    Threads(int most) {
      uses = new int[most];
    }

    void change(int thread, int by) {
      int before = uses[thread];
      uses[thread] += by;
      int change = Integer.signum(uses[thread]) - Integer.signum(before);
      count += change;
      sum += (long) change * thread;
    }

    /** The only one, if there is one. */
    int only() {
      return (int) sum;
    }
  }

  private final Int2IntOpenHashMap numbers = new Int2IntOpenHashMap();
  private final IntArrayList threads = new IntArrayList();
  private final IntArrayList layers = new IntArrayList();
  private final LongArrayList begins = new LongArrayList();
  private final LongArrayList ends = new LongArrayList();

  /** Adds an interval. The thread is any number. */
  void add(int thread, Layer layer, long begin, long end) {
    threads.add(numbers.computeIfAbsent(thread, added -> numbers.size()));
    layers.add(layer.ordinal());
    begins.add(begin);
    ends.add(end);
  }

  /** What each interval keeps of its length, in the order in which they were added. */
  double[] kept() {
    int size = threads.size();
    int of = numbers.size();
    Threads[] active = new Threads[LAYERS];
    for (int layer = 0; layer < LAYERS; layer++) {
      active[layer] = new Threads(of);
    }
    Threads busy = new Threads(of); // on CPU or ready
    Threads above = new Threads(of); // the same, or waiting for something else than a thread
    // What each layer has passed at the time: of all threads, and of the one that alone is above
    // it.
    double[] passed = new double[LAYERS];
    double[][] alone = new double[LAYERS][of];
    double[] kept = new double[size];
    long[] events = events();
    long now = 0;
    for (long event : events) {
      int interval = (int) (event >>> 1);
      boolean begins = (event & 1) != 0;
      long time = begins ? this.begins.getLong(interval) : ends.getLong(interval);
      double step = time - now;
      now = time;
      if (step > 0) {
        for (int layer = 0; layer < LAYERS; layer++) {
          Threads first = layer < 2 ? null : layer % 2 == 0 ? busy : above;
          if (active[layer].count > 0 && (first == null || first.count == 0)) {
            passed[layer] += step / active[layer].count;
          } else if (first != null && first.count == 1) {
            alone[layer][first.only()] += step;
          }
        }
      }
      int layer = layers.getInt(interval);
      int thread = threads.getInt(interval);
      int by = begins ? 1 : -1;
      kept[interval] -= by * (passed[layer] + alone[layer][thread]);
      active[layer].change(thread, by);
      if (layer < 2) {
        busy.change(thread, by);
      }
      if (layer <= Layer.WAIT.ordinal()) {
        above.change(thread, by);
      }
    }
    return kept;
  }

  /** Ends and begins by time, each as twice the number of the interval, plus 1 of a begin. */
  private long[] events() {
    long[] events = new long[2 * threads.size()];
    for (int place = 0; place < events.length; place++) {
      events[place] = place;
    }
    LongArrays.quickSort(
        events,
        (one, other) -> {
          int compared = Long.compare(time(one), time(other));
          return compared != 0 ? compared : Long.compare(one, other);
        });
    return events;
  }

  private long time(long event) {
    int interval = (int) (event >>> 1);
    return (event & 1) != 0 ? begins.getLong(interval) : ends.getLong(interval);
  }
}
