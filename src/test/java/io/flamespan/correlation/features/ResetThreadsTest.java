/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.ResetThreadsApp;
import io.flamespan.correlation.testing.ChildJvm;
import org.junit.jupiter.api.Test;

/** Promise: a thread does not show a span that it lost with its thread-locals. */
class ResetThreadsTest {
  @Test
  void commonPoolThread_afterATaskLeftAScopeOpen_showsWhatIsCurrent() {
    ChildJvm.Result result =
        ChildJvm.exporting("none")
            .property("java.util.concurrent.ForkJoinPool.common.parallelism", "1")
            .run(ResetThreadsApp.class)
            .succeeded();
    assertThat(result.output().lines().filter(line -> line.contains(" is current, shown is ")))
        .hasSize(5)
        .allMatch(
            line ->
                line.endsWith("left is current, shown is left")
                    || line.endsWith("other is current, shown is other")
                    || line.endsWith("none is current, shown is no trace"));
  }
}
