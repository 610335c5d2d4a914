/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.cases;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that run at the same time, one of which lets the pool of the tests help it. */
@Execution(ExecutionMode.CONCURRENT)
class Parallel {
  @Test
  void burnsFirst() {
    Burn.cpu();
  }

  @Test
  void burnsSecond() {
    Burn.cpu();
  }

  @Test
  void burnsThird() {
    IntStream.range(0, 8).parallel().forEach(i -> Thread.yield());
    Burn.cpu();
  }

  @Test
  void burnsFourth() {
    Burn.cpu();
  }
}
