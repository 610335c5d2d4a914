/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import java.util.concurrent.TimeUnit;

/**
 * The window of a processor of the application, whose {@code forceFlush} may do anything and is not
 * called for room. Once it was seen to take spans on its own thread, it has a queue, and the window
 * waits up to a second for it. Otherwise it gets one window in each round.
 */
final class OtherWindow extends MarkedWindow {
  private static final int MAX_SPANS = 512; // the size of a batch by default
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  OtherWindow(Runnable onRoom) {
    super(MAX_SPANS, onRoom);
  }

  @Override
  void beginRound() {
    if (!hasEverTaken()) {
      forget();
    }
  }

  @Override
  boolean press(long nowNanos, long waitingNanos, boolean progress) {
    return waitingNanos >= PATIENCE_NANOS;
  }
}
