/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.otelprofiling.correlation.internal.threads.LastingThread;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PendingResultsTest {
  private final AtomicInteger checks = new AtomicInteger();
  private final PendingResults results = new PendingResults(() -> 0, checks::incrementAndGet);

  @Test
  void thread_withoutResults_lingersOnce() {
    assertThat(results.round()).isPositive();
    assertThat(results.round()).isEqualTo(LastingThread.END);
  }

  @Test
  void thread_afterTheShutdown_endsAtOnce() {
    results.end(new CompletableResultCode());

    assertThat(results.round()).isEqualTo(LastingThread.END);
    assertThat(checks).hasValue(0);
  }

  @Test
  void thread_afterTheShutdownWithAFlush_endsAfterTheFlush() {
    results.end(new CompletableResultCode());
    CompletableResultCode flush = new CompletableResultCode();
    results.watch(flush);

    assertThat(results.round()).isPositive();
    assertThat(checks.get()).isPositive();
    flush.succeed();
    assertThat(results.round()).isEqualTo(LastingThread.END);
  }
}
