/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** Runs a step of one processor after all messages that have arrived by now were read. */
final class MessageBarrier {
  private static final long MAX_WAIT_SECONDS = 1;
  private static final int TRIES = 2; // memory may be free again

  private final DelayingSpanProcessor.Scheduler scheduler;
  private final WaitingSpans waiting;
  private final SpanReleaser releaser;
  private final RateLimitedLogger logger;

  MessageBarrier(
      DelayingSpanProcessor.Scheduler scheduler,
      WaitingSpans waiting,
      SpanReleaser releaser,
      RateLimitedLogger logger) {
    this.scheduler = scheduler;
    this.waiting = waiting;
    this.releaser = releaser;
    this.logger = logger;
  }

  /**
   * Runs a step on the releaser's thread, after all messages that have arrived by now were read.
   *
   * @param step receives the queue position after the last span that waits now
   * @param otherwise runs instead if there is not enough memory, or no thread, for the step
   */
  void runAfterMessages(LongConsumer step, Runnable otherwise) {
    try {
      scheduler.execute(() -> give(step, otherwise));
    } catch (Throwable e) {
      give(step, otherwise);
    }
  }

  /**
   * Runs a task after all messages that have arrived by now were read, or immediately if that
   * fails.
   */
  void afterMessages(Runnable task) {
    try {
      scheduler.execute(task);
    } catch (Throwable e) {
      task.run();
    }
  }

  private void give(LongConsumer step, Runnable otherwise) {
    for (int i = 0; i < TRIES; i++) {
      try {
        long end = waiting.markAllDue();
        releaser.execute(() -> step.accept(end));
        return;
      } catch (Throwable e) {
        logger.warn("Delayed spans were not passed on before a flush or shutdown", e);
      }
    }
    otherwise.run();
  }

  /** Waits up to one second until all messages that have arrived by now were read. Never throws. */
  void awaitMessages() {
    try {
      CountDownLatch read = new CountDownLatch(1);
      scheduler.execute(read::countDown);
      boolean unused = read.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      logger.warn("Messages were not read before a flush or shutdown", e);
    }
  }
}
