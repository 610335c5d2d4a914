/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.concurrency;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * How long Lincheck searches. Each scenario calls operations of a class on several threads. The
 * results must match those of running the calls in some sequential order.
 */
public final class Search {
  private static final int THREADS = 2;
  private static final int CALLS = 3;

  private Search() {}

  /** Runs random scenarios on real threads. */
  public static void underStress(Class<?> operations) {
    underStress(operations, operations);
  }

  /** Does the same with a sequential specification, which defines the results of an order. */
  public static void underStress(Class<?> operations, Class<?> sequential) {
    new StressOptions()
        .sequentialSpecification(sequential)
        .iterations(Integer.getInteger("lincheck.scenarios.stress", 20))
        .invocationsPerIteration(500)
        .threads(THREADS)
        .actorsPerThread(CALLS)
        .actorsBefore(2)
        .actorsAfter(2)
        .check(operations);
  }

  /** Switches threads at accesses to shared memory, assuming sequentially consistent memory. */
  public static void byModelChecking(Class<?> operations) {
    byModelChecking(operations, operations);
  }

  /** Does the same with a sequential specification, which defines the results of an order. */
  public static void byModelChecking(Class<?> operations, Class<?> sequential) {
    new ModelCheckingOptions()
        .sequentialSpecification(sequential)
        .iterations(Integer.getInteger("lincheck.scenarios.model", 10))
        .invocationsPerIteration(300)
        .threads(THREADS)
        .actorsPerThread(CALLS)
        .actorsBefore(2)
        .actorsAfter(2)
        .check(operations);
  }
}
