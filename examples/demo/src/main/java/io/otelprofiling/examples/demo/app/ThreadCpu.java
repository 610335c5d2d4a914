/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.demo.app;

import io.opentelemetry.api.trace.Span;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Lets a span tell how much CPU time its thread spent, by the clock of the operating system: a
 * second opinion on what the profiler says.
 */
final class ThreadCpu {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private ThreadCpu() {}

  /** The CPU time of the calling thread. */
  static long nanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** Call it once per thread that works on a request, or the time is counted twice. */
  static void record(Span span, long startNanos) {
    span.setAttribute("demo.thread_cpu_nanos", nanos() - startNanos);
  }
}
