/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import io.flamespan.correlation.concurrency.Search;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** A local root counts ids until they are frozen. */
@Param(name = "count", gen = IntGen.class, conf = "1:3")
public class LocalRootLincheckTest {
  private static final int MAX_IDS = 5;

  private final LocalRoot root = new LocalRoot();

  @Operation
  public int add(@Param(name = "count") int count) {
    return root.add(1, 2, count, MAX_IDS);
  }

  @Operation
  public int freeze() {
    return root.freeze().size();
  }

  @Operation
  public boolean isFrozen() {
    return root.isFrozen();
  }

  @Test
  void root_underStress_isLinearizable() {
    Search.underStress(LocalRootLincheckTest.class);
  }

  @Test
  void root_allSwitches_isLinearizable() {
    Search.byModelChecking(LocalRootLincheckTest.class);
  }
}
