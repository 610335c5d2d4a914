/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.threads.LastingThread;
import io.flamespan.correlation.testing.LogCapturer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The test plays the thread of the watch, which looks each second. */
class PendingResultsTest {
  private volatile long progress = -1;
  private volatile int checks;
  private final PendingResults results = new PendingResults(() -> progress, () -> checks++);

  /** The watch has a thread, too, which must not warn during other tests. */
  @AfterEach
  void endRound() {
    progress = -1;
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(results.round()).isPositive();
    }
  }

  @Test
  void watch_nothingPending_ends() {
    assertThat(results.round()).isEqualTo(LastingThread.END);
    assertThat(checks).isZero();
  }

  @Test
  void flush_processorBlocksForTenSeconds_fails() {
    CompletableResultCode flush = results.ask();
    progress = 5;
    look(5); // and the thread of the results may look, too
    assertThat(flush.isDone()).isFalse();
    try (LogCapturer log = new LogCapturer()) {
      await().until(() -> results.round() == LastingThread.END);
      await().until(flush::isDone);
      assertThat(flush.isSuccess()).isFalse();
      assertThat(log.warnings()).singleElement().asString().contains("blocked for 10 s");
    }
  }

  @Test
  void flush_processorTakesASpanNowAndThen_doesNotFail() {
    CompletableResultCode flush = results.ask();
    for (progress = 1; progress < 5; progress++) {
      look(5);
    }
    assertThat(flush.isDone()).isFalse();
    assertThat(checks).isGreaterThanOrEqualTo(20);
  }

  @Test
  void flush_completedLateByTheProcessor_doesNotFail() {
    CompletableResultCode flush = results.ask();
    assertThat(results.take()).isTrue();
    look(40); // the releaser is not in a round
    assertThat(flush.isDone()).isFalse();
  }

  @Test
  void callers_beforeTheFlushIsTaken_shareIt() {
    CompletableResultCode first = results.ask();
    assertThat(results.ask()).isSameAs(first);
    results.take();
    CompletableResultCode second = results.ask();
    assertThat(second).isNotSameAs(first);
    assertThat(results.take()).as("the first is pending").isFalse();
    assertThat(results.ask()).isSameAs(second);
  }

  @Test
  void shutdown_forgotten_isNotWatched() {
    results.watch(new CompletableResultCode());
    assertThat(results.round()).isPositive();
    results.forgetShutdown();
    assertThat(results.round()).isEqualTo(LastingThread.END);
  }
}
