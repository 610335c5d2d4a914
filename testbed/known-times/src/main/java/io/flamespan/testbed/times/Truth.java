/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.times;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What the requests of an endpoint did, as they have measured it themselves. Thread-safe. */
final class Truth {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Something that a request does, and that takes time for one reason. */
  interface Step {
    void run() throws Exception;
  }

  final LongAdder requests = new LongAdder();
  final LongAdder duration = new LongAdder();

  /** The time of the part that the endpoint is about. */
  final LongAdder caused = new LongAdder();

  private final AtomicLong begun = new AtomicLong();

  /** Returns the number of requests that have begun, this one included. */
  long begin() {
    return begun.incrementAndGet();
  }

  /** Measures a step that does nothing else. */
  void cause(Step step) throws Exception {
    long begin = System.nanoTime();
    try {
      step.run();
    } finally {
      caused.add(System.nanoTime() - begin);
    }
  }

  /** Measures the CPU time of a step. */
  void compute(Step step) throws Exception {
    long begin = THREADS.getCurrentThreadCpuTime();
    try {
      step.run();
    } finally {
      caused.add(THREADS.getCurrentThreadCpuTime() - begin);
    }
  }

  /** Measures how long a step that only computes has no CPU. */
  void starve(Step step) throws Exception {
    long begin = System.nanoTime();
    long cpu = THREADS.getCurrentThreadCpuTime();
    try {
      step.run();
    } finally {
      long computed = THREADS.getCurrentThreadCpuTime() - cpu;
      caused.add(System.nanoTime() - begin - computed);
    }
  }
}
