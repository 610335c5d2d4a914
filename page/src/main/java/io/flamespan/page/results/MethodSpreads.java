/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** By how much the requests of an endpoint differ in methods. */
public final class MethodSpreads implements RequestStacks.Visitor {
  public static final Set<Column> COLUMNS = Set.of(Column.SELF, Column.TOTAL);

  private final RequestStacks stacks;
  private final List<@Nullable MethodSpread> byFrame = new ArrayList<>();

  public MethodSpreads(RequestStacks stacks) {
    this.stacks = stacks;
  }

  @Override
  public void method(int place, int frame, Column column, Measure measure, long amount) {
    if (column == Column.OWN) {
      return;
    }
    while (byFrame.size() <= frame) {
      byFrame.add(null);
    }
    MethodSpread of = byFrame.get(frame);
    if (of == null) {
      of = new MethodSpread();
      byFrame.set(frame, of);
    }
    (column == Column.TOTAL ? of.total(measure) : of.self(measure)).add(amount);
  }

  public Map<Frame, MethodSpread> spreads() {
    Map<Frame, MethodSpread> spreads = new HashMap<>();
    for (int frame = 0; frame < byFrame.size(); frame++) {
      MethodSpread of = byFrame.get(frame);
      if (of != null) {
        spreads.put(stacks.frame(frame), of);
      }
    }
    return spreads;
  }
}
