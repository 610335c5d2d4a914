/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The window of the SDK's batch processor, which has a short queue and drops what does not fit. It
 * waits until it has a whole batch, so while there is no room it is flushed. A result of these
 * flushes does not prove that the processor has taken a span. It proves that the processor has
 * exported what it had taken before, so the stack trace ids of a request are limited as well.
 *
 * <p>A filter in front of the processor may drop marked spans, so spans that were not taken after
 * three flushes, or within ten seconds, count as taken.
 */
final class BatchWindow extends MarkedWindow {
  // With those of one span more, a request has 1.3 MB of ids. Many receivers accept 4 MB.
  private static final int MAX_IDS = 32_768;
  // A processor may return the result of a flush that began before the spans came, or of one that
  // has just ended. The third one began afterwards.
  private static final int FLUSHES = 3;
  private static final long PACE_WINDOWS = 16;
  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Supplier<CompletableResultCode> flush;
  private int flushes; // without progress
  private @Nullable CompletableResultCode lastFlush; // until some time after its end
  private long lastFlushNanos; // when it began or, later, when it was found to have ended
  private boolean lastFlushEnded;
  private long takenBeforeLastFlush; // ids
  private long exportedIds;

  /**
   * Creates an open window.
   *
   * @param maxSpans how many spans may be under way to the queue, which has room for more: the rest
   *     belongs to spans that are not delayed
   */
  BatchWindow(int maxSpans, Supplier<CompletableResultCode> flush, Runnable onRoom) {
    super(Math.max(1, maxSpans), onRoom);
    this.flush = flush;
  }

  @Override
  Pace pace() {
    return new Pace(PACE_WINDOWS * maxSpans(), 0); // it takes thousands at once
  }

  @Override
  boolean mayExportOnEnd() {
    return false;
  }

  @Override
  boolean isOpen() {
    return super.isOpen() && givenIds() - exportedIds < MAX_IDS;
  }

  @Override
  boolean press(long nowNanos, long waitingNanos, boolean progress) {
    if (progress) {
      flushes = 0;
    }
    boolean isPointless = waitingNanos >= PATIENCE_NANOS;
    if (isQuiet(nowNanos)) {
      isPointless |= flushes == FLUSHES;
      if (!isPointless) {
        flushes++;
        flushing(flush.get(), nowNanos);
      }
    }
    if (isPointless) {
      flushes = 0;
      exportedIds = givenIds();
    }
    return isPointless;
  }

  @Override
  void flushing(CompletableResultCode result, long nowNanos) {
    lastFlush = result;
    lastFlushNanos = nowNanos;
    lastFlushEnded = false;
    // A flush ends with an export of what was taken before. But this one may have ended earlier.
    takenBeforeLastFlush = result.isDone() ? exportedIds : takenIds();
  }

  /**
   * Returns whether the last flush has ended some time ago. Until then, the processor may answer a
   * flush or shutdown with the result of that flush, which leaves out spans that came meanwhile.
   */
  @Override
  boolean isQuiet(long nowNanos) {
    CompletableResultCode last = lastFlush;
    if (last == null) {
      return true;
    }
    if (!lastFlushEnded && last.isDone()) {
      lastFlushEnded = true;
      lastFlushNanos = nowNanos;
      exportedIds = Math.max(exportedIds, takenBeforeLastFlush);
    }
    if (nowNanos - lastFlushNanos < (lastFlushEnded ? SETTLE_NANOS : PATIENCE_NANOS)) {
      return false;
    }
    lastFlush = null;
    return true;
  }
}
