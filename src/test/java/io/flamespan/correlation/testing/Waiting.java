/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits of tests. */
public final class Waiting {
  /** Returns a wait with a limit that only ends tests that hang, on busy machines as well. */
  public static ConditionFactory await() {
    return Awaitility.await().atMost(2, TimeUnit.MINUTES);
  }

  private Waiting() {}
}
