/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** By how much the requests of an endpoint differ in methods. */
public final class MethodSpreads implements RequestStacks.Visitor {
  public static final Set<Column> COLUMNS = Set.of(Column.SELF, Column.TOTAL);

  private final RequestStacks stacks;
  private final Int2ObjectOpenHashMap<MethodSpread> byFrame = new Int2ObjectOpenHashMap<>();

  public MethodSpreads(RequestStacks stacks) {
    this.stacks = stacks;
  }

  @Override
  public void method(int place, int frame, Column column, Measure measure, long amount) {
    if (column == Column.OWN) {
      return;
    }
    MethodSpread of = byFrame.computeIfAbsent(frame, added -> new MethodSpread());
    (column == Column.TOTAL ? of.total(measure) : of.self(measure)).add(amount);
  }

  public Map<Frame, MethodSpread> spreads() {
    Map<Frame, MethodSpread> spreads = new HashMap<>();
    for (Int2ObjectMap.Entry<MethodSpread> one : byFrame.int2ObjectEntrySet()) {
      spreads.put(stacks.frame(one.getIntKey()), one.getValue());
    }
    return spreads;
  }
}
