/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The downstream processor of one of our processors, and how spans reach it. Thread-safe. */
final class Downstream {
  private static final int MAX_DESCRIPTION = 100; // characters

  private final SpanProcessor processor;
  private final String description; // now, because it needs memory
  private final SampleReport report;
  private final int queueSize;
  private final AtomicLong attachedStackTraceIds = new AtomicLong();
  private final RateLimitedLogger logger = new RateLimitedLogger(DelayingSpanProcessor.class);

  /**
   * Wraps the processor.
   *
   * @param queueSize the size of its queue, or 0 if it is not known
   */
  Downstream(SpanProcessor processor, SampleReport report, int queueSize) {
    this.processor = processor;
    this.description = describe(processor);
    this.report = report;
    this.queueSize = queueSize;
  }

  private static String describe(SpanProcessor processor) {
    try {
      return String.valueOf(processor);
    } catch (RuntimeException e) {
      return processor.getClass().getName(); // it cannot be described
    }
  }

  /**
   * Returns a window for delayed spans.
   *
   * @param onRoom runs on any thread when the processor has room again
   */
  Window window(Runnable onRoom) {
    return Window.of(description, queueSize, this::flushForRoom, onRoom);
  }

  private CompletableResultCode flushForRoom() {
    CompletableResultCode result = new CompletableResultCode();
    flushInto(result);
    return result;
  }

  /** Passes a span on unchanged. Throws what the processor throws, as the SDK does. */
  void onEnd(ReadableSpan span) {
    processor.onEnd(span);
  }

  /**
   * Passes a span on with the stack trace ids of its local root, which is frozen by this call. Like
   * {@link #onEnd}, throws what the processor throws.
   *
   * @param root null if the span is not a local root span, or its ids are unknown
   */
  void onEndWithIds(ReadableSpan span, @Nullable LocalRoot root) {
    processor.onEnd(root == null ? span : withIds(span, root, null));
  }

  /** Passes a delayed span on. Logs exceptions, because no caller is left to receive them. */
  void onDelayedEnd(ReadableSpan span) {
    try {
      onEnd(span);
    } catch (Throwable e) {
      logger.warn("A span processor failed on a delayed span", e);
    }
  }

  /**
   * Returns the span with its stack trace ids, if it has any. Never throws.
   *
   * @param window gives the span a mark if it needs one; null if the span did not wait
   */
  ReadableSpan withIds(ReadableSpan span, LocalRoot root, @Nullable Window window) {
    ReadableSpan result = span;
    try {
      List<String> ids = root.freeze();
      // A span from another of our processors already has its ids.
      boolean hasIds = !ids.isEmpty() && span.getAttribute(CorrelatedSpan.STACK_TRACE_IDS) == null;
      MarkedWindow.Mark mark = window == null ? null : window.next(ids.size());
      if (hasIds || mark != null) {
        result =
            new CorrelatedSpan(
                span, hasIds ? report.attributes(ids, root) : Attributes.empty(), mark);
      }
      if (hasIds) {
        attachedStackTraceIds.addAndGet(ids.size());
        report.passedOn(span, root);
      }
    } catch (Throwable e) {
      logger.warn("A span is passed on without its stack traces, or is missing in the metric", e);
    }
    return result;
  }

  /** Returns how many stack trace ids were attached to spans that were passed on. */
  long attachedStackTraceIds() {
    return attachedStackTraceIds.get();
  }

  CompletableResultCode forceFlush() {
    return processor.forceFlush();
  }

  CompletableResultCode shutdown() {
    return processor.shutdown();
  }

  /**
   * Flushes the processor, and completes {@code result} with the result of that flush. Never
   * throws.
   */
  void flushInto(CompletableResultCode result) {
    complete(result, false);
  }

  /** Shuts the processor down, and completes {@code result} in the same way. Never throws. */
  void shutdownInto(CompletableResultCode result) {
    complete(result, true);
  }

  private void complete(CompletableResultCode result, boolean shutdown) {
    try {
      CompletableResultCode step = shutdown ? processor.shutdown() : processor.forceFlush();
      step.whenComplete(
          () -> {
            if (step.isSuccess()) {
              result.succeed();
            } else {
              result.fail();
            }
          });
    } catch (Throwable e) {
      logger.warn("A span processor failed to flush or shut down", e);
      result.fail();
    }
  }

  /** Returns a short description for messages. */
  @Override
  public String toString() {
    return description.length() <= MAX_DESCRIPTION
        ? description
        : description.substring(0, MAX_DESCRIPTION) + "…";
  }
}
