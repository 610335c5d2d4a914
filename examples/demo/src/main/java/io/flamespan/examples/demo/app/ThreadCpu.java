/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.demo.app;

import io.opentelemetry.api.trace.Span;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Records on a span the CPU time that its thread spent, measured by the operating system, for
 * comparison with the profiler.
 */
final class ThreadCpu {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ThreadCpu() {}

  /** Returns the CPU time of the calling thread. */
  static long nanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /**
   * Records the time since the start. Call it once per thread that works on a request: a second
   * call would count the time twice.
   */
  static void record(Span span, long startNanos) {
    span.setAttribute("demo.thread_cpu_nanos", nanos() - startNanos);
  }
}
