/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * The CPU time per operation that the measured threads use. On a machine with other load, wall time
 * would include waits for a CPU.
 */
public final class WorkerCpuTime implements InternalProfiler {
  static final String NAME = "worker.cpu";

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private long before;

  @Override
  public String getDescription() {
    return "CPU time of measured threads";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = workersCpuNanos();
  }

  @Override
  @SuppressWarnings("rawtypes") // JMH uses raw types
  public Collection<? extends Result> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double nanos = (double) (workersCpuNanos() - before) / result.getMetadata().getAllOps();
    return List.of(new ScalarResult(NAME, nanos, "ns/op", AggregationPolicy.AVG));
  }

  private long workersCpuNanos() {
    long nanos = 0;
    for (long id : threads.getAllThreadIds()) {
      ThreadInfo thread = threads.getThreadInfo(id);
      if (thread != null && thread.getThreadName().contains("jmh-worker")) {
        nanos += Math.max(0, threads.getThreadCpuTime(id));
      }
    }
    return nanos;
  }
}
