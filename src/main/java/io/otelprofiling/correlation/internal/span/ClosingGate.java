/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Keeps spans from a processor that was shut down. Until {@link #begin} it costs spans one volatile
 * read, from then on a lock. Safe for use by many threads.
 */
final class ClosingGate {
  private static final long MAX_WAIT_SECONDS = 10;

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile boolean closing;
  private boolean closed; // guarded by the lock, unless somebody holds it for ever

  /** Makes spans that end from now on go through {@link #pass}. */
  void begin() {
    closing = true;
  }

  boolean isClosing() {
    return closing;
  }

  /** If false, what the caller has done before is there to be seen by {@code lastSpans}. */
  boolean isClosed() {
    if (!closing) {
      return false;
    }
    lock.readLock().lock();
    try {
      return closed;
    } finally {
      lock.readLock().unlock();
    }
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

  /** Waits for those who pass, runs what passes the last spans on, and closes the gate. */
  void close(Runnable lastSpans) {
    boolean locked = tryLock(); // a processor that blocks on a span must not block its shutdown
    try {
      lastSpans.run();
    } finally {
      closed = true;
      if (locked) {
        lock.writeLock().unlock();
      }
    }
  }

  private boolean tryLock() {
    try {
      return lock.writeLock().tryLock(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
