/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import io.otelprofiling.page.results.FlameTree;
import io.otelprofiling.page.results.LineTally;
import io.otelprofiling.page.results.Tally;
import io.otelprofiling.page.results.ThreadResult;
import java.util.List;

/** Some kinds of threads, by their numbers in {@link Threads}. */
record JoinedThreads(
    String process, String name, Tally tally, List<Integer> numbers, JoinedResults results)
    implements ThreadResult {

  @Override
  public FlameTree tree(int mostNodes) {
    return results.threadTree(name, numbers, mostNodes);
  }

  @Override
  public List<LineTally> lines() {
    return results.threadLines(numbers);
  }
}
