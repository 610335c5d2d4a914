/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** By how much the requests of an endpoint differ in methods. */
public final class MethodSpreads implements RequestStacks.Visitor {
  public static final Set<Column> COLUMNS = Set.of(Column.SELF, Column.TOTAL);

  private final RequestStacks stacks;
  private MethodSpread[] byFrame = {}; // null for those without an amount

  public MethodSpreads(RequestStacks stacks) {
    this.stacks = stacks;
  }

  @Override
  public void method(int place, int frame, Column column, Measure measure, long amount) {
    if (column == Column.OWN) {
      return;
    }
    if (frame >= byFrame.length) {
      byFrame = Arrays.copyOf(byFrame, 2 * frame + 1);
    }
    MethodSpread of = byFrame[frame];
    if (of == null) {
      of = new MethodSpread();
      byFrame[frame] = of;
    }
    (column == Column.TOTAL ? of.total(measure) : of.self(measure)).add(amount);
  }

  public Map<Frame, MethodSpread> spreads() {
    Map<Frame, MethodSpread> spreads = new HashMap<>();
    for (int frame = 0; frame < byFrame.length; frame++) {
      MethodSpread of = byFrame[frame];
      if (of != null) {
        spreads.put(stacks.frame(frame), of);
      }
    }
    return spreads;
  }
}
