/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A timer whose time only passes when a test says so. */
final class ManualTimer implements Timer {
  private record Waiting(long nanos, Runnable task) {}

  private final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>();
  private volatile boolean closed;

  @Override
  public void after(long nanos, Runnable task) {
    waiting.add(new Waiting(nanos, task));
  }

  @Override
  public void close() {
    closed = true;
    waiting.clear();
  }

  boolean isClosed() {
    return closed;
  }

  boolean isIdle() {
    return waiting.isEmpty();
  }

  /** Waits for a scheduled task and runs it. Returns its delay in nanoseconds. */
  long pass() {
    await().atMost(2, TimeUnit.MINUTES).until(() -> !waiting.isEmpty());
    Waiting next = waiting.remove();
    next.task().run();
    return next.nanos();
  }
}
