/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import io.flamespan.correlation.internal.wrapping.CorrelatedSpan;
import io.flamespan.correlation.internal.wrapping.PluginSpanProcessor;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The delaying processors of one SDK. Thread-safe. */
public final class SpanProcessors {
  private final SharedState shared;
  private final List<DelayingSpanProcessor> processors = new CopyOnWriteArrayList<>();

  /** Creates an empty list of processors. */
  public SpanProcessors(SharedState shared) {
    this.shared = shared;
    CorrelatedSpan.initialize();
  }

  /**
   * Wraps a processor before {@link #start}.
   *
   * @param queueSize the size of the processor's queue, or 0 if it is not known
   * @return the given processor if it was already wrapped
   */
  public SpanProcessor delaying(SpanProcessor downstream, int queueSize) {
    if (downstream instanceof PluginSpanProcessor) {
      return downstream;
    }
    DelayingSpanProcessor processor =
        new DelayingSpanProcessor(downstream, queueSize, shared, null);
    processors.add(processor);
    return PluginSpanProcessor.withOnEnding(processor, downstream);
  }

  /**
   * Wraps a processor after {@link #start}, and starts it.
   *
   * @throws OutOfMemoryError if the system cannot create a thread
   */
  public DelayingSpanProcessor started(SpanProcessor downstream) {
    DelayingSpanProcessor processor = new DelayingSpanProcessor(downstream, 0, shared, null);
    processors.add(processor); // first: otherwise, nothing would end its thread
    boolean started = false;
    try {
      processor.start();
      started = true;
    } finally {
      if (!started) {
        processors.remove(processor);
      }
    }
    return processor;
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

  /** Passes on all waiting spans and delays no more. */
  public void end() {
    processors.forEach(DelayingSpanProcessor::passOnDue);
  }
}
