/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import io.flamespan.correlation.internal.localroot.CollectedSamples;
import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Shortened;
import io.flamespan.correlation.internal.pace.Pace;
import io.flamespan.correlation.internal.wrapping.CorrelatedSpan;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The processor behind one of our processors, and how spans reach it: with their stack trace ids,
 * or unchanged if anything fails on their way. Thread-safe.
 */
final class Downstream {
  private static final String FLUSH_FAILED = "A span processor failed to flush";

  private final SpanProcessor processor;
  private final SharedState shared;
  private final AtomicLong attachedStackTraceIds = new AtomicLong();
  private final RateLimitedLogger logger = new RateLimitedLogger(Downstream.class);
  private final Callable<CompletableResultCode> forceFlush = this::forceFlush; // needs memory
  private volatile @Nullable CompletableResultCode lastFlush;

  Downstream(SpanProcessor processor, SharedState shared) {
    this.processor = processor;
    this.shared = shared;
  }

  /**
   * Passes a span on, on the thread that ends it: with the ids that have arrived, if it has a local
   * root, which was retained and is left.
   */
  void onEnd(ReadableSpan span, @Nullable LocalRoot root) {
    processor.onEnd(root == null ? span : withIds(span, root, null, 0));
  }

  /** Passes a delayed span on, and leaves its local root. Never throws. */
  void onDelayedEnd(ReadableSpan span, LocalRoot root, long endNanos, Pace pace) {
    ReadableSpan leaving = withIds(span, root, pace, endNanos);
    try {
      processor.onEnd(leaving);
    } catch (Throwable e) {
      logger.warn("A span processor failed on a delayed span", e);
    } finally {
      pace.gave();
    }
  }

  /** Leaves the local root, and returns the span with its ids, or as it is. Never throws. */
  private ReadableSpan withIds(
      ReadableSpan span, LocalRoot root, @Nullable Pace pace, long endNanos) {
    ReadableSpan result = span;
    try {
      CollectedSamples samples = shared.localRoots.leave(root, pace == null);
      List<String> ids = samples.ids();
      // A processor in front of this one may have added them.
      boolean hasIds = !ids.isEmpty() && span.getAttribute(CorrelatedSpan.STACK_TRACE_IDS) == null;
      Attributes times = root.times(span);
      if (hasIds || !times.isEmpty() || pace != null) {
        Attributes added =
            hasIds ? with(times, shared.report.attributes(ids, samples.count())) : times;
        long number = pace == null ? 0 : pace.give(endNanos, hasIds ? ids.size() : 0);
        result = new CorrelatedSpan(span, added, pace == null ? null : pace.whenRead, number);
      }
      if (hasIds) {
        attachedStackTraceIds.addAndGet(ids.size());
        shared.report.passedOn(span, samples.unreported());
      }
    } catch (Throwable e) {
      logger.warn("A span is passed on without its stack traces, or is missing in the metric", e);
    }
    return result;
  }

  private static Attributes with(Attributes times, Attributes ids) {
    return times.isEmpty() ? ids : ids.toBuilder().putAll(times).build();
  }

  /** Returns how many stack trace ids were attached to spans that were passed on. */
  long attachedStackTraceIds() {
    return attachedStackTraceIds.get();
  }

  /** Flushes the processor. Throws what it throws. */
  CompletableResultCode forceFlush() {
    CompletableResultCode result = processor.forceFlush();
    lastFlush = result;
    return result;
  }

  /** The same, but never throws. */
  CompletableResultCode flush() {
    return logger.orElse(CompletableResultCode.ofFailure(), FLUSH_FAILED, forceFlush);
  }

  /** Returns the result of the last flush, or null. */
  @Nullable CompletableResultCode lastFlush() {
    return lastFlush;
  }

  /** Flushes the processor, and completes {@code result}. Never throws. */
  void flushInto(CompletableResultCode result) {
    into(result, false);
  }

  /** Shuts the processor down, and completes {@code result}. Never throws. */
  void shutdownInto(CompletableResultCode result) {
    into(result, true);
  }

  private void into(CompletableResultCode result, boolean closes) {
    try {
      CompletableResultCode step = closes ? processor.shutdown() : forceFlush();
      step.whenComplete(
          () -> {
            if (step.isSuccess()) {
              result.succeed();
            } else {
              result.fail();
            }
          });
    } catch (Throwable e) {
      logger.warn(closes ? "A span processor failed to shut down" : FLUSH_FAILED, e);
      result.fail();
    }
  }

  /** Returns a short description for messages. */
  @Override
  public String toString() {
    try {
      return Shortened.of(String.valueOf(processor));
    } catch (RuntimeException e) {
      return processor.getClass().getName(); // it cannot be described
    }
  }
}
