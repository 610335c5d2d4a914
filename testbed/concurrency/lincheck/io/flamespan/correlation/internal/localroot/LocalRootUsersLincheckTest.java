/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import io.flamespan.correlation.concurrency.Search;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** The users of a local root: exactly one release is the last, and it stays the last. */
public class LocalRootUsersLincheckTest {
  private final LocalRoot root = new LocalRoot();

  @Operation
  public boolean retain() {
    return root.retain();
  }

  @Operation
  public boolean release() {
    return root.release();
  }

  @Operation
  public boolean end() {
    return root.end();
  }

  @Operation
  public boolean endUnlessWaiting() {
    return root.endUnlessWaiting();
  }

  /** The running span, and the number of processors in which it waits. */
  public static class Count {
    private boolean running = true;
    private int waiting;

    public boolean retain() {
      if (running || waiting > 0) {
        waiting++;
        return true;
      }
      return false;
    }

    public boolean release() {
      return waiting > 0 && --waiting == 0 && !running;
    }

    public boolean end() {
      boolean ends = running;
      running = false;
      return ends && waiting == 0;
    }

    public boolean endUnlessWaiting() {
      return waiting == 0 && end();
    }
  }

  @Test
  void users_underStress_areLinearizable() {
    Search.underStress(LocalRootUsersLincheckTest.class, Count.class);
  }

  @Test
  void users_allSwitches_areLinearizable() {
    Search.byModelChecking(LocalRootUsersLincheckTest.class, Count.class);
  }
}
