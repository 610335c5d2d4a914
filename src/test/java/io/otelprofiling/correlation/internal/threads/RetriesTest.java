/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RetriesTest {
  private final List<Throwable> errors = new ArrayList<>();
  private final Retries retries = new Retries(errors::add);
  private int runs;

  private boolean run(int failures, Error error, long sinceNanos) {
    return retries.run(
        number -> {
          assertThat(number).isEqualTo(7);
          if (runs++ < failures) {
            throw error;
          }
        },
        7,
        sinceNanos);
  }

  @Test
  void step_withoutMemoryForAWhile_isRepeatedUntilItSucceeds() {
    assertThat(run(20, new OutOfMemoryError(), System.nanoTime())).isTrue();
    assertThat(runs).isEqualTo(21);
    assertThat(errors).hasSize(20);
  }

  @Test
  void step_withoutMemoryWhenTheTimeIsOver_isGivenUp() {
    long longAgo = System.nanoTime() - TimeUnit.MINUTES.toNanos(1);
    assertThat(run(Integer.MAX_VALUE, new OutOfMemoryError(), longAgo)).isFalse();
    assertThat(runs).isEqualTo(1);
  }

  @Test
  void step_withoutItsClass_isGivenUpSoon() {
    assertThat(run(Integer.MAX_VALUE, new NoClassDefFoundError(), System.nanoTime())).isFalse();
    assertThat(runs).isEqualTo(4);
  }

  @Test
  void step_whoseErrorCannotBeReported_isStillRepeated() {
    Retries silent =
        new Retries(
            error -> {
              throw new OutOfMemoryError();
            });
    boolean succeeded =
        silent.run(
            number -> {
              if (runs++ == 0) {
                throw new OutOfMemoryError();
              }
            },
            0,
            System.nanoTime());
    assertThat(succeeded).isTrue();
  }
}
