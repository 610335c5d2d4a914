/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Records the spans that it receives, like an exporting processor. */
public final class RecordingSpanProcessor implements EndProcessor {
  public final List<ReadableSpan> ended = new CopyOnWriteArrayList<>();
  public final CompletableResultCode flushResult = new CompletableResultCode();
  public final CompletableResultCode shutdownResult = new CompletableResultCode();
  public volatile int endedAtFlush = -1;
  public volatile int endedAtShutdown = -1;
  public volatile boolean failing;
  public volatile Consumer<ReadableSpan> onEnd = span -> {};

  @Override
  public void onEnd(ReadableSpan span) {
    if (failing) {
      throw new IllegalStateException("downstream fails");
    }
    ended.add(span);
    onEnd.accept(span);
  }

  @Override
  public CompletableResultCode forceFlush() {
    endedAtFlush = ended.size();
    return flushResult;
  }

  @Override
  public CompletableResultCode shutdown() {
    endedAtShutdown = ended.size();
    return shutdownResult;
  }
}
