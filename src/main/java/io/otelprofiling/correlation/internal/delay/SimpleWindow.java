/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The window of a simple processor, which begins an export with each span. It has taken the spans
 * when these exports have ended. Only a few may be open, because exporters refuse more: OkHttp has
 * five threads for a server.
 */
final class SimpleWindow extends Window {
  private static final int MAX_EXPORTS = 4;

  private final Supplier<CompletableResultCode> flush;
  private final Runnable onRoom;
  private int given; // since the last flush
  private @Nullable CompletableResultCode exports; // the last flush
  private @Nullable CompletableResultCode pressed;
  private long pressedNanos;
  private boolean givenUp; // an export does not end

  SimpleWindow(Supplier<CompletableResultCode> flush, Runnable onRoom) {
    this.flush = flush;
    this.onRoom = onRoom;
  }

  @Override
  boolean isOpen() {
    CompletableResultCode open = exports;
    if (open == null && given >= MAX_EXPORTS) {
      open = flush.get();
      exports = open;
      open.whenComplete(onRoom);
    }
    if (open != null && open.isDone()) {
      exports = null;
      given = 0;
      givenUp = false;
    }
    return givenUp || given < MAX_EXPORTS;
  }

  @Override
  void give(BatchWindow.@Nullable Mark mark) {
    given++;
  }

  /** Waits for the exports, but not for one that never ends. */
  @Override
  void press(long nowNanos) {
    if (pressed != exports) {
      pressed = exports;
      pressedNanos = nowNanos;
    }
    givenUp = nowNanos - pressedNanos >= BatchWindow.PATIENCE_NANOS;
  }
}
