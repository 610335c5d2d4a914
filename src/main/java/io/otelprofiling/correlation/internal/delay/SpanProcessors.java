/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The delaying processors of one SDK. Thread-safe, except for {@link #checkProgress}. */
public final class SpanProcessors {
  private final List<DelayingSpanProcessor> processors = new CopyOnWriteArrayList<>();

  public void add(DelayingSpanProcessor processor) {
    processors.add(processor);
  }

  /** Returns a view of all processors, to which later ones are added. */
  public List<DelayingSpanProcessor> all() {
    return processors;
  }

  /**
   * Starts the threads of all processors.
   *
   * @throws OutOfMemoryError if the system provides no thread
   */
  public void start() {
    processors.forEach(DelayingSpanProcessor::start);
  }

  /**
   * Passes on all waiting spans and delays no more. A failure is logged and does not affect the
   * others.
   */
  public void end(RateLimitedLogger logger) {
    for (DelayingSpanProcessor processor : processors) {
      try {
        processor.end();
      } catch (Throwable e) {
        logger.warn("A span processor did not stop delaying spans", e);
      }
    }
  }

  /**
   * Fails the flushes and shutdowns of processors that have blocked for too long. To be called by
   * the worker; never throws.
   *
   * @return nanoseconds until the next call, or {@link SpanReleaser#NOTHING_PENDING}
   */
  public long checkProgress() {
    long wait = SpanReleaser.NOTHING_PENDING;
    for (DelayingSpanProcessor processor : processors) {
      wait = Math.min(wait, processor.checkProgress());
    }
    return wait;
  }
}
