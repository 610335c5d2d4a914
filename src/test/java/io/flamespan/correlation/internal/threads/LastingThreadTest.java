/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.threads;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.testing.LogCapturer;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LastingThreadTest {
  private final LogCapturer log = new LogCapturer();
  private final AtomicLong rounds = new AtomicLong();
  private volatile long wait = LastingThread.FOREVER;
  private volatile int failures;

  private final LastingThread thread =
      new LastingThread(
          "lasting",
          () -> {
            long number = rounds.incrementAndGet();
            if (number <= failures) {
              throw new OutOfMemoryError("round " + number);
            }
            return wait;
          },
          new RateLimitedLogger(LastingThreadTest.class),
          "a round failed");

  @AfterEach
  void end() {
    wait = LastingThread.END;
    failures = 0;
    thread.wake();
    await().until(() -> thread.thread() == null);
    log.close();
  }

  @Test
  void rounds_thatThrow_areFollowedByOthers() {
    failures = 3;
    thread.wake();

    await().until(() -> rounds.get() == 4);
    assertThat(log.warnings()).containsExactly("a round failed");
    assertThat(thread.thread()).isNotNull().matches(Thread::isDaemon);
  }

  @Test
  void thread_withNothingToDo_sleepsUntilItIsWoken() {
    thread.wake();
    await().until(() -> isAsleepAfter(1));
    thread.wake();

    await().until(() -> isAsleepAfter(2));
  }

  @Test
  void thread_interruptedByOthers_keepsSleeping() {
    thread.wake();
    await().until(() -> isAsleepAfter(1));
    Thread sleeping = thread.thread();
    sleeping.interrupt();

    await().until(() -> isAsleepAfter(2));
    assertThat(sleeping.isInterrupted()).isFalse();
  }

  @Test
  void wake_whileTheThreadEnds_isNeverLost() {
    wait = LastingThread.END;
    for (int i = 0; i < 2_000; i++) {
      long before = rounds.get();
      thread.wake();
      while (rounds.get() == before) {
        Thread.yield();
      }
    }
    await().until(() -> thread.thread() == null);
  }

  private boolean isAsleepAfter(long number) {
    Thread now = thread.thread();
    return rounds.get() == number && now != null && now.getState() == Thread.State.WAITING;
  }
}
