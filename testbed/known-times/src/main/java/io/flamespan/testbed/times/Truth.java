/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.times;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** Measures a step that does nothing else, without the time in which its thread runs or could. */
  void cause(Step step) throws Exception {
    cause(step, false);
  }

  /**
   * The same.
   *
   * @param keepsCarrier whether a virtual thread does: then the carrier tells how long it was ready
   */
  void cause(Step step, boolean keepsCarrier) throws Exception {
    boolean isVirtual = Thread.currentThread().toString().startsWith("VirtualThread");
    long runnable = runnableNanos(isVirtual, keepsCarrier);
    long begin = System.nanoTime();
    try {
      step.run();
    } finally {
      long nanos = System.nanoTime() - begin;
      caused.add(nanos - (runnableNanos(isVirtual, keepsCarrier) - runnable));
    }
  }

  private static long runnableNanos(boolean isVirtual, boolean keepsCarrier) throws IOException {
    return (isVirtual ? 0 : cpuNanos()) + (isVirtual && !keepsCarrier ? 0 : runQueueNanos());
  }

  /** Measures the CPU time of a step. */
  void compute(Step step) throws Exception {
    long begin = cpuNanos();
    try {
      step.run();
    } finally {
      caused.add(cpuNanos() - begin);
    }
  }

  /** Measures how long a step has no CPU. */
  void starve(Step step) throws Exception {
    long begin = runQueueNanos();
    try {
      step.run();
    } finally {
      caused.add(runQueueNanos() - begin);
    }
  }

  private static long cpuNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** As the kernel counts it for the calling platform thread, or the carrier. */
  private static long runQueueNanos() throws IOException {
    return Long.parseLong(Files.readString(Path.of("/proc/thread-self/schedstat")).split(" ")[1]);
  }
}
