/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.MethodSpread;
import io.flamespan.page.results.StackTree;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2LongMap;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import java.util.HashMap;
import java.util.Map;

/** Sums up what methods have in each request, request by request. */
final class MethodSums {
  private static final Measure[] MEASURES = Measure.values();

  private final StackTree stacks;
  private final Frames frames;
  private final Map<Frame, MethodSpread> spreads = new HashMap<>();
  private final Int2LongOpenHashMap ofRequest = new Int2LongOpenHashMap();
  private final Int2IntOpenHashMap lastRow = new Int2IntOpenHashMap(); // by frame
  private int row;

  MethodSums(StackTree stacks, Frames frames) {
    this.stacks = stacks;
    this.frames = frames;
  }

  /** A row of the request that {@link #endRequest} ends. */
  void add(int stack, Measure measure, long amount) {
    if (stack == StackTree.ROOT || amount == 0) {
      return;
    }
    row++;
    int leaf = stacks.frame(stack);
    int above = stacks.parent(stack);
    ofRequest.addTo(key(leaf, measure, false), amount);
    if (frames.get(leaf).isClass() && above != StackTree.ROOT) {
      ofRequest.addTo(key(stacks.frame(above), measure, false), amount);
    }
    for (int node = stack; node != StackTree.ROOT; node = stacks.parent(node)) {
      int frame = stacks.frame(node);
      if (lastRow.put(frame, row) != row) {
        ofRequest.addTo(key(frame, measure, true), amount);
      }
    }
  }

  private static int key(int frame, Measure measure, boolean total) {
    return (frame * MEASURES.length + measure.ordinal()) * 2 + (total ? 1 : 0);
  }

  void endRequest() {
    for (Int2LongMap.Entry entry : ofRequest.int2LongEntrySet()) {
      int place = entry.getIntKey() / 2;
      Measure measure = MEASURES[place % MEASURES.length];
      MethodSpread method =
          spreads.computeIfAbsent(frames.get(place / MEASURES.length), frame -> new MethodSpread());
      boolean total = entry.getIntKey() % 2 == 1;
      (total ? method.total(measure) : method.self(measure)).add(entry.getLongValue());
    }
    ofRequest.clear();
  }

  Map<Frame, MethodSpread> spreads() {
    return spreads;
  }
}
