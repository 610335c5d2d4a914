/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import io.otelprofiling.correlation.concurrency.Search;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** The users of a local root: the last one is the last for good. */
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
  public boolean releaseUnlessWaiting() {
    return root.releaseUnlessWaiting();
  }

  /** The number of users. */
  public static class Count {
    private int users = 1;

    public boolean retain() {
      users += users > 0 ? 1 : 0;
      return users > 0;
    }

    public boolean release() {
      return users > 0 && --users == 0;
    }

    public boolean releaseUnlessWaiting() {
      return users == 1 && --users == 0;
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
