/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.internal.localroot.LocalRootSpans;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Creates the delaying processors of one SDK and keeps track of them. Thread-safe, except for
 * {@link #checkProgress}.
 */
public final class SpanProcessors {
  private final SampleReport report;
  private final LocalRootSpans localRoots;
  private final SamplesDelay delay;
  private final DelayingSpanProcessor.Scheduler scheduler;
  private final int capacity;
  private final String capacitySetting;
  private final List<DelayingSpanProcessor> processors = new CopyOnWriteArrayList<>();

  /**
   * Creates an empty list of processors.
   *
   * @param capacity the number of spans that may wait for each processor
   * @param capacitySetting the name of the setting for the capacity, for messages
   */
  public SpanProcessors(
      SampleReport report,
      LocalRootSpans localRoots,
      SamplesDelay delay,
      DelayingSpanProcessor.Scheduler scheduler,
      int capacity,
      String capacitySetting) {
    this.report = report;
    this.localRoots = localRoots;
    this.delay = delay;
    this.scheduler = scheduler;
    this.capacity = capacity;
    this.capacitySetting = capacitySetting;
  }

  /** Wraps a processor before {@link #start}. Returns the given one if it was already wrapped. */
  public SpanProcessor delaying(SpanProcessor downstream) {
    if (downstream instanceof PluginSpanProcessor) {
      return downstream;
    }
    DelayingSpanProcessor processor = create(downstream);
    processors.add(processor);
    return PluginSpanProcessor.withOnEnding(processor, downstream);
  }

  /**
   * Wraps a processor after {@link #start}, and starts it.
   *
   * @throws OutOfMemoryError if the system cannot create a thread
   */
  public DelayingSpanProcessor started(SpanProcessor downstream) {
    DelayingSpanProcessor processor = create(downstream);
    processor.start();
    try {
      processors.add(processor);
    } catch (Throwable e) {
      processor.end(); // nothing else would end its thread
      throw e;
    }
    return processor;
  }

  private DelayingSpanProcessor create(SpanProcessor downstream) {
    return new DelayingSpanProcessor(
        downstream,
        report,
        localRoots,
        delay,
        scheduler,
        capacity,
        capacitySetting,
        System::nanoTime);
  }

  /** Returns a live view of all processors, including those added later. */
  public List<DelayingSpanProcessor> all() {
    return processors;
  }

  /**
   * Starts the threads of all processors.
   *
   * @throws OutOfMemoryError if the system cannot create a thread
   */
  public void start() {
    processors.forEach(DelayingSpanProcessor::start);
  }

  /**
   * Passes on all waiting spans and delays no more. Failures are logged, and do not affect other
   * processors.
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
   * Fails the pending flushes and shutdowns of processors that have blocked for too long. Called by
   * the worker. Never throws.
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
