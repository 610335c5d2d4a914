/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.otelprofiling.correlation.internal.threads.LastingThread;
import io.otelprofiling.correlation.testing.LogCapturer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The test plays the thread of the watch, which looks each second. */
class BlockedWatchTest {
  private final AtomicInteger failures = new AtomicInteger();
  private boolean pending = true;
  private long progress = -1;
  private int checks;
  private final BlockedWatch watch =
      new BlockedWatch(
          new BlockedWatch.Watched() {
            @Override
            public boolean isPending() {
              return pending;
            }

            @Override
            public long progress() {
              return progress;
            }

            @Override
            public void keepGoing() {
              checks++;
            }

            @Override
            public void fail() {
              failures.incrementAndGet();
            }
          });

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(watch.round()).isPositive();
    }
  }

  @Test
  void watch_nothingPending_ends() {
    pending = false;
    assertThat(watch.round()).isEqualTo(LastingThread.END);
    assertThat(checks).isZero();
  }

  @Test
  void flush_processorBlocksForTenSeconds_fails() {
    progress = 5;
    look(10);
    assertThat(failures).hasValue(0);
    try (LogCapturer log = new LogCapturer()) {
      look(1);
      await().until(() -> failures.get() == 1);
      assertThat(log.warnings()).singleElement().asString().contains("blocked for 10 s");
    }
  }

  @Test
  void flush_processorTakesASpanNowAndThen_doesNotFail() {
    for (progress = 1; progress < 5; progress++) {
      look(10);
    }
    assertThat(failures).hasValue(0);
    assertThat(checks).isEqualTo(40);
  }

  @Test
  void flush_completedLateByTheProcessor_doesNotFail() {
    look(40); // the releaser is not in a round
    assertThat(failures).hasValue(0);
  }
}
