/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.LineTally;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.ThreadResult;
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
