/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import java.util.concurrent.TimeUnit;

/**
 * The window of a processor of the application, whose {@code forceFlush} may do anything and is not
 * called for room. Once it was seen to take spans on its own thread, it has a queue, and the window
 * waits up to a second for it. One that has taken nothing so after a few windows, a round apart,
 * has none, and the window stays open.
 */
final class OtherWindow extends MarkedWindow {
  private static final int MAX_SPANS = 512; // the size of a batch by default
  private static final int TRIALS = 4;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private int trials;

  OtherWindow(Runnable onRoom) {
    super(MAX_SPANS, onRoom);
  }

  @Override
  boolean isOpen() {
    return super.isOpen() || (trials >= TRIALS && !hasEverTaken());
  }

  @Override
  boolean press(long nowNanos, long waitingNanos, boolean progress) {
    if (hasEverTaken()) {
      return waitingNanos >= PATIENCE_NANOS;
    }
    trials++;
    return false;
  }

  /** A round is time enough for a thread that takes spans. */
  @Override
  void beginRound() {
    if (!hasEverTaken()) {
      forget();
    }
  }
}
