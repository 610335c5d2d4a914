/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.telemetry;

import io.otelprofiling.correlation.internal.delay.DelayingSpanProcessor;
import io.otelprofiling.correlation.internal.protocol.MessageDecoder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The counts of one SDK's plug-in, collected from the classes that count. With several exporters, a
 * span counts once for each. Any thread may read.
 */
public final class Counts {
  private static final long MAX_RELEASE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final MessageDecoder messages;
  private final LongSupplier unknownCorrelations;
  private final LongSupplier droppedStackTraceIds;
  private final LongSupplier displacedSpans;
  private final List<DelayingSpanProcessor> processors; // only grows

  /**
   * Creates a view of the counts.
   *
   * @param unknownCorrelations the number of correlation messages for unknown local root spans
   * @param droppedStackTraceIds the number of ids above the limit of their span
   * @param displacedSpans the number of spans displaced because too many others have not ended
   * @param processors the processors, including those added later
   */
  public Counts(
      MessageDecoder messages,
      LongSupplier unknownCorrelations,
      LongSupplier droppedStackTraceIds,
      LongSupplier displacedSpans,
      List<DelayingSpanProcessor> processors) {
    this.messages = messages;
    this.unknownCorrelations = unknownCorrelations;
    this.droppedStackTraceIds = droppedStackTraceIds;
    this.displacedSpans = displacedSpans;
    this.processors = processors;
  }

  public MessageDecoder messages() {
    return messages;
  }

  public long unknownCorrelations() {
    return unknownCorrelations.getAsLong();
  }

  public long droppedStackTraceIds() {
    return droppedStackTraceIds.getAsLong();
  }

  public long displacedSpans() {
    return displacedSpans.getAsLong();
  }

  public long attachedStackTraceIds() {
    return sum(DelayingSpanProcessor::attachedStackTraceIds);
  }

  public long waitingSpans() {
    return sum(DelayingSpanProcessor::waitingSpans);
  }

  public long delayedSpans() {
    return sum(DelayingSpanProcessor::delayedSpans);
  }

  public long spansReleasedEarly() {
    return sum(DelayingSpanProcessor::spansReleasedEarly);
  }

  public long lostSpans() {
    return sum(DelayingSpanProcessor::lostSpans);
  }

  public int processors() {
    return processors.size();
  }

  /**
   * After a shutdown has begun, waits until it has passed on all waiting spans. Waits at most two
   * seconds per processor, or until the thread is interrupted.
   */
  void awaitRelease() {
    try {
      for (DelayingSpanProcessor processor : processors) {
        processor.awaitRelease(MAX_RELEASE_NANOS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long sum(ToLongFunction<DelayingSpanProcessor> value) {
    long sum = 0;
    for (int i = 0; i < processors.size(); i++) { // an iterator would be garbage
      sum += value.applyAsLong(processors.get(i));
    }
    return sum;
  }
}
