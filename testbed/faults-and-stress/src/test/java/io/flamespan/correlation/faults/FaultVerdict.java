/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * An application's findings about the plug-in. Passed to another class loader, so as strings only.
 */
final class FaultVerdict {
  private static final long LIMIT_NANOS = 120_000_000_000L;

  /** Damage that no fault may cause: harm to the application or its telemetry. */
  final List<String> harm = new ArrayList<>();

  /**
   * Damage that a fault may cause, with one line in the log: the loss of a feature of the plug-in.
   */
  final List<String> lost = new ArrayList<>();

  /** A step of the application. */
  interface Step {
    void run() throws Exception;
  }

  /** Runs a step that must not throw. */
  void attempt(String name, Step step) {
    try {
      step.run();
    } catch (Throwable e) {
      StackTraceElement[] trace = e.getStackTrace();
      StringBuilder where = new StringBuilder();
      for (int i = 0; i < Math.min(6, trace.length); i++) {
        where
            .append(" < ")
            .append(trace[i].getFileName())
            .append(':')
            .append(trace[i].getLineNumber());
      }
      synchronized (harm) {
        harm.add(name + " threw " + e + where);
      }
    }
  }

  void require(String name, boolean holds) {
    if (!holds) {
      synchronized (harm) {
        harm.add(name);
      }
    }
  }

  /** Waits until a condition holds. A timeout counts as harm. */
  void await(String name, BooleanSupplier condition) throws InterruptedException {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - begin > LIMIT_NANOS) {
        require("still not after 120 s: " + name, false);
        return;
      }
      Thread.sleep(1);
    }
  }

  void feature(String name, boolean works) {
    if (!works) {
      lost.add(name);
    }
  }
}
