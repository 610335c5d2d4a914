/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import org.jspecify.annotations.Nullable;

/**
 * The window of a processor with a queue. It takes a span when it calls {@code toSpanData} on a
 * separate thread. It takes spans in order, so only some are marked: every span with stack trace
 * ids, and of the others a few in each window. Used in rounds of the {@link Releaser}, except for
 * {@link Mark#taken}.
 */
abstract class MarkedWindow extends Window {
  private static final int MARKS = 4; // in each window

  private final int maxSpans;
  private final int markEach;
  private final Runnable onRoom;
  private long spans; // given so far
  private long ids;
  private volatile @Nullable Thread giver;
  private volatile Mark taken = new Mark(0, 0);
  private volatile boolean waits; // the releaser waits for room
  private Mark seen = taken; // when the releaser began to wait
  private long waitsSinceNanos;
  private volatile boolean everTaken;

  MarkedWindow(int maxSpans, Runnable onRoom) {
    this.maxSpans = maxSpans;
    this.markEach = Math.max(1, maxSpans / MARKS);
    this.onRoom = onRoom;
  }

  /** The position of a span among all spans and ids that were given. */
  final class Mark {
    final long spans;
    final long ids;

    Mark(long spans, long ids) {
      this.spans = spans;
      this.ids = ids;
    }

    /** Reports that the processor has read the span. Called on any thread. */
    void taken() {
      MarkedWindow.this.taken(this);
    }
  }

  private void taken(Mark mark) {
    // On this thread, something in front of the queue reads the span, such as a filter.
    if (Thread.currentThread() != giver && mark.spans > taken.spans) {
      taken = mark;
      everTaken = true;
      if (waits && hasRoom(maxSpans / 2 + 1)) {
        waits = false;
        onRoom.run();
      }
    }
  }

  @Override
  boolean isOpen() {
    return hasRoom(maxSpans);
  }

  private boolean hasRoom(int ofSpans) {
    return spans - taken.spans < ofSpans;
  }

  /** Returns how many spans may be given before the processor has taken some. */
  final int maxSpans() {
    return maxSpans;
  }

  /** Returns how many stack trace ids the processor was given. */
  final long givenIds() {
    return ids;
  }

  /** Returns how many of these it has taken. */
  final long takenIds() {
    return taken.ids;
  }

  @Override
  final @Nullable Mark next(int idsOfSpan) {
    return idsOfSpan > 0 || (spans + 1) % markEach == 0
        ? new Mark(spans + 1, ids + idsOfSpan)
        : null;
  }

  @Override
  final void give(@Nullable Mark mark) {
    spans++;
    if (mark != null) {
      ids = mark.ids;
      giver = Thread.currentThread();
    }
  }

  @Override
  final void press(long nowNanos) {
    boolean progress = taken != seen;
    if (progress || !waits) {
      seen = taken;
      waitsSinceNanos = nowNanos;
      waits = true;
    }
    if (press(nowNanos, nowNanos - waitsSinceNanos, progress)) {
      forget();
    }
  }

  /** Waits no longer for what was given: the processor has dropped it or keeps it. */
  final void forget() {
    taken = new Mark(spans, ids);
    seen = taken;
    waits = false; // the next window has its own patience
  }

  /**
   * Makes the processor take what it was given.
   *
   * @param progress whether it has taken spans since the last call
   * @return whether to wait no longer for what was given
   */
  abstract boolean press(long nowNanos, long waitingNanos, boolean progress);

  /** Returns whether the processor has ever taken a span on a separate thread. */
  final boolean hasEverTaken() {
    return everTaken;
  }
}
