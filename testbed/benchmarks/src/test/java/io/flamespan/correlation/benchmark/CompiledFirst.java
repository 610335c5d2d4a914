/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;

/**
 * Lets the JIT finish all queued compilations before an iteration begins. On a busy machine, a
 * warm-up of one second may leave it too little time, and the fork would measure unoptimized code.
 */
public final class CompiledFirst implements InternalProfiler {
  private static final long TIMEOUT_SECONDS = 30;

  @Override
  public String getDescription() {
    return "waits for the JIT";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    long begin = System.nanoTime();
    while (isCompiling() && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS)) {
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static boolean isCompiling() {
    try {
      String queues =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "compilerQueue",
                      new Object[0],
                      new String[0]);
      boolean bothEmpty = queues.indexOf("Empty") != queues.lastIndexOf("Empty");
      return queues.contains("CompilerThread") || !bothEmpty;
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  @SuppressWarnings("rawtypes") // JMH uses raw types
  public Collection<? extends Result> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    return List.of();
  }
}
