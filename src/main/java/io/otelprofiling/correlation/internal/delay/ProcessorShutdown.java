/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.threads.Retries;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Shuts down one processor, after all messages that have arrived by then and after all waiting
 * spans. Everything it needs is allocated in advance, because without memory those spans would be
 * lost.
 */
final class ProcessorShutdown {
  private final ClosingGate gate;
  private final WaitingSpans waiting;
  private final Downstream downstream;
  private final SpanReleaser releaser;
  private final MessageBarrier messages;
  private final RateLimitedLogger logger;
  private final CompletableResultCode result = new CompletableResultCode();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch released = new CountDownLatch(1);
  private final Runnable afterMessages = this::giveLastStep;
  private final Retries.Step giving = this::giveLastStep;
  private final Runnable lastStep = this::shutDown;
  private final Retries.Step releasing = this::release;
  private final Retries retries = new Retries(this::failed);

  ProcessorShutdown(
      ClosingGate gate,
      WaitingSpans waiting,
      Downstream downstream,
      SpanReleaser releaser,
      MessageBarrier messages,
      RateLimitedLogger logger) {
    this.gate = gate;
    this.waiting = waiting;
    this.downstream = downstream;
    this.releaser = releaser;
    this.messages = messages;
    this.logger = logger;
  }

  /** Begins the shutdown on the first call. Every call returns the same result. */
  CompletableResultCode begin() {
    if (!begun.compareAndSet(false, true)) {
      return result;
    }
    releaser.watch(result);
    if (releaser.isCurrentThread()) {
      messages.awaitMessages();
      shutDown();
    } else {
      messages.afterMessages(afterMessages);
    }
    return result;
  }

  /**
   * After the shutdown has begun, waits until all waiting spans have been passed on.
   *
   * @param nanos the maximum time to wait
   */
  void awaitRelease(long nanos) throws InterruptedException {
    if (begun.get() && !releaser.isCurrentThread()) {
      boolean unused = released.await(nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void giveLastStep() {
    if (!retries.run(giving, 0, System.nanoTime())) {
      shutDownDownstream();
    }
  }

  private void giveLastStep(int unused) {
    releaser.execute(lastStep);
  }

  private void shutDown() {
    boolean unused = retries.run(releasing, 0, System.nanoTime());
    shutDownDownstream();
    releaser.endWhenIdle();
  }

  private void release(int unused) {
    gate.begin(); // not earlier: requests that end right now have stack traces as well
    waiting.releaseAll();
    gate.close();
    waiting.releaseLast();
  }

  private void failed(Throwable error) {
    logger.warn("Delayed spans were not passed on before a shutdown", error);
  }

  private void shutDownDownstream() {
    released.countDown();
    downstream.shutdownInto(result);
  }
}
