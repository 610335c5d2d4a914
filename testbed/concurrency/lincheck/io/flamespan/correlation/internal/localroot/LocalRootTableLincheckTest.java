/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import io.flamespan.correlation.concurrency.Search;
import java.util.HashSet;
import java.util.Set;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** The table is a set of local roots, and has to grow to hold them. */
@Param(name = "root", gen = IntGen.class, conf = "0:3")
public class LocalRootTableLincheckTest {
  private static final int ROOTS = 4;
  private static final int BEFORE = 15; // leaves room for one more

  private final Table table = new Table(100);
  private final LocalRoot[] roots = new LocalRoot[ROOTS];
  private final boolean[] added = new boolean[ROOTS]; // a span starts once

  public LocalRootTableLincheckTest() {
    for (int i = 0; i < BEFORE; i++) {
      boolean unused = table.add(Table.root(ROOTS + i));
    }
    for (int i = 0; i < ROOTS; i++) {
      roots[i] = Table.root(i);
    }
  }

  @Operation(nonParallelGroup = "starts")
  public boolean add(@Param(name = "root") int root) {
    if (added[root]) {
      return false;
    }
    added[root] = true;
    return table.add(roots[root]);
  }

  @Operation
  public boolean find(@Param(name = "root") int root) {
    return table.has(roots[root]);
  }

  @Operation
  public void remove(@Param(name = "root") int root) {
    table.remove(roots[root]);
  }

  /** The sequential specification: a set. */
  public static class Model {
    private final Set<Integer> added = new HashSet<>();
    private final Set<Integer> known = new HashSet<>();

    public boolean add(int root) {
      return added.add(root) && known.add(root);
    }

    public boolean find(int root) {
      return known.contains(root);
    }

    public void remove(int root) {
      known.remove(root);
    }
  }

  @Test
  void table_underStress_isLinearizable() {
    Search.underStress(LocalRootTableLincheckTest.class, Model.class);
  }

  @Test
  void table_allSwitches_isLinearizable() {
    Search.byModelChecking(LocalRootTableLincheckTest.class, Model.class);
  }
}
