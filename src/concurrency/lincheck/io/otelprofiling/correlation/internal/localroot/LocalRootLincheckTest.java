/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import io.otelprofiling.correlation.concurrency.Search;
import io.otelprofiling.correlation.concurrency.Spans;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** A local root counts ids until they are frozen, and is retained or evicted. */
@Param(name = "count", gen = IntGen.class, conf = "1:3")
public class LocalRootLincheckTest {
  private static final int MAX_IDS = 5;

  private final LocalRoot root =
      new LocalRoot(Spans.context("000000000000000000000000000000ab", 1));

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

  @Operation
  public boolean retain() {
    return root.retain(RetainedEntry.BY_SPAN);
  }

  @Operation
  public boolean release() {
    return root.release(RetainedEntry.BY_SPAN);
  }

  @Operation
  public boolean retainByProcessor() {
    return root.retain(RetainedEntry.BY_PROCESSOR);
  }

  @Operation
  public boolean evict() {
    return root.evict();
  }

  @Operation
  public boolean evictUnlessWaiting() {
    return root.evictUnlessWaiting();
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
