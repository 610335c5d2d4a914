/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The window of the SDK's simple processor, which begins an export with each span. It has taken the
 * spans when these exports have ended, and so has a flush. Only two may be open: OkHttp has five
 * threads for a server and refuses a call if all are busy, and a thread is busy for a moment after
 * its export has ended.
 */
final class SimpleWindow extends Window {
  private static final int MAX_EXPORTS = 2;

  private final Supplier<CompletableResultCode> flush;
  private final Runnable onRoom;
  private int given; // since all exports had ended
  private boolean waits;
  private long waitsSinceNanos;
  private boolean everEnded;

  SimpleWindow(Supplier<CompletableResultCode> flush, Runnable onRoom) {
    this.flush = flush;
    this.onRoom = onRoom;
  }

  @Override
  boolean isOpen() {
    if (given < MAX_EXPORTS) {
      return true;
    }
    // A new flush each time: a result that the SDK combined while an export ended never completes.
    CompletableResultCode exports = flush.get();
    if (exports.isDone()) {
      everEnded |= waits;
      restart();
    } else if (!waits) {
      exports.whenComplete(onRoom);
    }
    return given < MAX_EXPORTS;
  }

  private void restart() {
    given = 0;
    waits = false;
  }

  @Override
  void give(MarkedWindow.@Nullable Mark mark) {
    given++;
  }

  /** Waits for the exports, each of which ends in a time that its exporter has set. */
  @Override
  void press(long nowNanos) {
    if (!waits) {
      waits = true;
      waitsSinceNanos = nowNanos;
    } else if (nowNanos - waitsSinceNanos >= PATIENCE_NANOS) {
      restart();
      given = everEnded ? 0 : Integer.MIN_VALUE; // an exporter that never says so is not waited for
    }
  }
}
