/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.StampedLock;

/**
 * Keeps spans away from a processor that was shut down. Before {@link #begin}, a span costs one
 * volatile read; afterwards, a lock. Thread-safe.
 */
final class ClosingGate {
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  // A thread may re-enter: nothing queues for the write lock, which would make readers wait.
  private final StampedLock lock = new StampedLock();
  private volatile boolean closing;
  private volatile boolean closed;

  /** Sends spans that end from now on through {@link #enter}. */
  void begin() {
    closing = true;
  }

  boolean isClosing() {
    return closing;
  }

  /**
   * Returns true if a span may be passed on, false if the gate is closed. If true, {@link #close}
   * waits for {@link #leave}.
   */
  boolean enter() {
    if (closed) {
      return false;
    }
    long stamp = lock.readLock();
    if (closed) {
      lock.unlockRead(stamp);
      return false;
    }
    return true;
  }

  /** Reports that the span was passed on. Called by the thread that has entered. */
  void leave() {
    boolean unused = lock.tryUnlockRead();
  }

  /**
   * Closes the gate, and waits up to two seconds for spans that have entered: a processor that
   * blocks on a span must not block its shutdown. Does not queue for the lock, because others would
   * then queue behind a span that blocks.
   */
  void close() {
    closed = true;
    long begin = System.nanoTime();
    while (lock.tryWriteLock() == 0) {
      if (System.nanoTime() - begin >= MAX_WAIT_NANOS) {
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    boolean unused = lock.tryUnlockWrite();
  }
}
