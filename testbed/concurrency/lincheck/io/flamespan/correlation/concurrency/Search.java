/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.concurrency;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * The effort that Lincheck spends. Each scenario calls operations of a class on several threads.
 * The results must match some sequential order of the calls.
 */
public final class Search {
  private static final int THREADS = 2;
  private static final int CALLS = 3;

  private Search() {}

  /** Runs random scenarios on real threads. */
  public static void underStress(Class<?> operations) {
    underStress(operations, operations);
  }

  /** Does the same, with a sequential class as the specification. */
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

  /** Switches threads at each access to shared memory, assuming sequentially consistent memory. */
  public static void byModelChecking(Class<?> operations) {
    byModelChecking(operations, operations);
  }

  /** Does the same, with a sequential class as the specification. */
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
