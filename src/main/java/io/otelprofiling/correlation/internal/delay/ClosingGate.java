/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Keeps spans from a processor that was shut down. Until {@link #begin} it costs spans one volatile
 * read, from then on a lock. Safe for use by many threads.
 */
final class ClosingGate {
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile boolean closing;
  private volatile boolean closed;

  /** Makes spans that end from now on go through {@link #pass}. */
  void begin() {
    closing = true;
  }

  boolean isClosing() {
    return closing;
  }

  boolean isClosed() {
    return closed;
  }

  /** Runs what passes one span on, unless the gate is closed, and closes it no earlier. */
  void pass(Runnable span) {
    lock.readLock().lock();
    try {
      if (!closed) {
        span.run();
      }
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Waits for those who pass, ten seconds at most, and closes the gate. */
  void close() {
    boolean locked = tryLock(); // a processor that blocks on a span must not block its shutdown
    closed = true;
    if (locked) {
      lock.writeLock().unlock();
    }
  }

  /** Does not queue for the lock: that would hold up others who pass behind one that blocks. */
  private boolean tryLock() {
    long begin = System.nanoTime();
    while (!lock.writeLock().tryLock()) {
      if (System.nanoTime() - begin >= MAX_WAIT_NANOS) {
        return false;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return true;
  }
}
