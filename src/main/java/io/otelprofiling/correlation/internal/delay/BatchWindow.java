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
 * The window of a batch processor, which has a short queue and drops what does not fit. It takes a
 * span when it calls {@code toSpanData}, on its own thread, as it moves the span from the queue to
 * a batch. It takes spans in order, so only some are marked: every span with stack trace ids, and
 * of the others a few in each window. While there is no room, {@link #press} makes the processor
 * export what it holds, because it would otherwise wait until it has a whole batch.
 *
 * <p>A filter in front of the processor may drop marked spans. What was not taken after three
 * flushes, or within ten seconds, therefore counts as taken: spans must not be held up forever.
 *
 * <p>Used in rounds of the {@link Releaser}, except for {@link Mark#taken}.
 */
final class BatchWindow extends Window {
  /** How long a closed window waits for a processor that takes nothing. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  // Four times as many may end up in one request, which makes 1.7 MB. Many receivers accept 4 MB.
  private static final int MAX_IDS = 16_384;
  private static final int MARKS = 4; // in each window
  // A processor may return the result of a flush that began before the spans came, or of one that
  // has just ended. The third one began afterwards.
  private static final int FLUSHES = 3;
  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Supplier<CompletableResultCode> flush;
  private final Runnable onRoom;
  private final int maxSpans;
  private final int markEach;

  private long spans; // given so far
  private long ids;
  private volatile @Nullable Thread giver;
  private volatile Mark taken = new Mark(0, 0);
  private volatile boolean waits; // the releaser waits for room

  private Mark seen = taken; // when the processor was last pressed
  private boolean pressing;
  private long pressingSinceNanos; // without progress
  private int flushes; // since then
  private @Nullable CompletableResultCode lastFlush;
  private long lastFlushNanos; // when it began or, later, when it was found to have ended
  private boolean lastFlushEnded;
  private boolean givenUp;

  /**
   * Creates an open window.
   *
   * @param queueSize the number of spans for which the queue certainly has room
   */
  BatchWindow(int queueSize, Supplier<CompletableResultCode> flush, Runnable onRoom) {
    this.flush = flush;
    this.onRoom = onRoom;
    this.maxSpans = Math.max(1, queueSize / 2); // spans that are not delayed need the other half
    this.markEach = Math.max(1, maxSpans / MARKS);
  }

  /** The position of a span among all spans and ids that were given. */
  final class Mark {
    private final long spans;
    private final long ids;

    private Mark(long spans, long ids) {
      this.spans = spans;
      this.ids = ids;
    }

    /** Reports that the processor has read the span. Called on any thread. */
    void taken() {
      // On this thread, something in front of the processor reads the span, such as a filter.
      if (Thread.currentThread() != giver && spans > taken.spans) {
        taken = this;
        if (waits && hasRoom(maxSpans / 2 + 1, MAX_IDS / 2)) {
          waits = false;
          onRoom.run();
        }
      }
    }
  }

  @Override
  boolean isOfBatches() {
    return true;
  }

  @Override
  boolean isOpen() {
    givenUp &= taken == seen; // otherwise it takes spans again
    return givenUp || hasRoom(maxSpans, MAX_IDS);
  }

  private boolean hasRoom(int ofSpans, int ofIds) {
    Mark last = taken;
    return spans - last.spans < ofSpans && ids - last.ids < ofIds;
  }

  @Override
  @Nullable Mark next(int idsOfSpan) {
    return idsOfSpan > 0 || (spans + 1) % markEach == 0
        ? new Mark(spans + 1, ids + idsOfSpan)
        : null;
  }

  @Override
  void give(@Nullable Mark mark) {
    spans++;
    if (mark != null) {
      ids = mark.ids;
      giver = Thread.currentThread();
    }
  }

  @Override
  void press(long nowNanos) {
    waits = true;
    if (!pressing || taken != seen) {
      pressing = true;
      seen = taken;
      pressingSinceNanos = nowNanos;
      flushes = 0;
    }
    if (nowNanos - pressingSinceNanos >= PATIENCE_NANOS) {
      givenUp = true;
    } else if (isQuiet(nowNanos) && flushes++ < FLUSHES) {
      lastFlushNanos = nowNanos;
      lastFlushEnded = false;
      lastFlush = flush.get();
    } else if (flushes > FLUSHES) {
      taken = new Mark(spans, ids);
      pressing = false;
    }
  }

  /**
   * Returns whether the last flush has ended some time ago. Before that, a flush or shutdown of the
   * processor may rely on that flush, and then leaves out the spans that came after its start.
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
    }
    if (nowNanos - lastFlushNanos < (lastFlushEnded ? SETTLE_NANOS : PATIENCE_NANOS)) {
      return false;
    }
    lastFlush = null;
    return true;
  }
}
