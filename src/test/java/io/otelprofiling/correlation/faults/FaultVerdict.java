/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What an application finds out about the plug-in. Has strings only, for another class loader. */
final class FaultVerdict {
  private static final long LIMIT_NANOS = 30_000_000_000L;

  /** What no fault may do: harm the application or its telemetry. */
  final List<String> harm = new ArrayList<>();

  /** What a fault may cost, with one line in the log: a feature of the plug-in. */
  final List<String> lost = new ArrayList<>();

  /** A step of the application. */
  interface Step {
    void run() throws Exception;
  }

  /** Runs a step into which no exception may come. */
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

  /** Waits until a condition holds, which it has to. */
  void await(String name, BooleanSupplier condition) throws InterruptedException {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - begin > LIMIT_NANOS) {
        require("still not after 30 s: " + name, false);
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
