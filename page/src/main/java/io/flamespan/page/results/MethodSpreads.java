/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** By how much the requests of an endpoint differ in methods. */
public final class MethodSpreads implements RequestStacks.Visitor {
  public static final Set<Column> COLUMNS = Set.of(Column.SELF, Column.TOTAL);

  private static final int POWERS = 3; // of a method: the sums of amounts, squares and cubes

  private final RequestStacks stacks;
  private final IntArrayList frames = new IntArrayList(); // of the endpoint, in their first order
  private int[] places = {}; // in it, plus one, by frame; 0 for none
  private final double[][] self = new double[Measure.COUNT][0]; // by place
  private final double[][] total = new double[Measure.COUNT][0];

  public MethodSpreads(RequestStacks stacks) {
    this.stacks = stacks;
  }

  @Override
  public void method(int request, int frame, Column column, Measure measure, long amount) {
    if (column == Column.OWN) {
      return;
    }
    double[][] ofColumn = column == Column.TOTAL ? total : self;
    double[] sums = ofColumn[measure.ordinal()];
    int at = POWERS * place(frame);
    if (at >= sums.length) {
      sums = Arrays.copyOf(sums, Math.max(2 * sums.length, at + POWERS));
      ofColumn[measure.ordinal()] = sums;
    }
    double of = amount;
    sums[at] += of;
    sums[at + 1] += of * of;
    sums[at + 2] += of * of * of;
  }

  private int place(int frame) {
    if (frame >= places.length) {
      places = Arrays.copyOf(places, 2 * frame + 1);
    }
    if (places[frame] == 0) {
      frames.add(frame);
      places[frame] = frames.size();
    }
    return places[frame] - 1;
  }

  public Map<Frame, MethodSpread> spreads() {
    Map<Frame, MethodSpread> spreads = new HashMap<>();
    for (Measure measure : Measure.values()) {
      add(self[measure.ordinal()], spreads, method -> method.self(measure));
      add(total[measure.ordinal()], spreads, method -> method.total(measure));
    }
    return spreads;
  }

  private void add(
      double[] sums, Map<Frame, MethodSpread> to, Function<MethodSpread, Spread> spread) {
    for (int at = 0; at + 2 < sums.length; at += POWERS) {
      if (sums[at] > 0) {
        MethodSpread method =
            to.computeIfAbsent(
                stacks.frame(frames.getInt(at / POWERS)), added -> new MethodSpread());
        spread.apply(method).add(sums[at], sums[at + 1], sums[at + 2]);
      }
    }
  }
}
