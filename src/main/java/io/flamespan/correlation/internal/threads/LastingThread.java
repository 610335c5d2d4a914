/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.threads;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Step;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that works in rounds, and sleeps in between without allocating anything. Errors
 * of a round end here: they are logged, and another round follows. The JVM may nevertheless end it
 * when memory is exhausted: if the JVM cannot reallocate the objects of a compiled frame, it
 * unwinds that frame together with its exception handlers. For this reason {@link #wake} starts
 * another thread if none is alive. Thread-safe.
 */
public final class LastingThread {
  /** The result of a round after which the thread sleeps until it is woken. */
  public static final long FOREVER = Long.MAX_VALUE;

  /** The result of a round after which the thread ends, unless it was woken meanwhile. */
  public static final long END = -1;

  private static final long PAUSE_AFTER_ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The work of one round. */
  public interface Round {
    /**
     * Runs once.
     *
     * @return the maximum time to sleep afterwards in nanoseconds, {@link #FOREVER} or {@link #END}
     */
    long run() throws Exception;
  }

  private final String name;
  private final Round round;
  private final RateLimitedLogger logger;
  private final String failure;
  private final Callable<@Nullable Boolean> oneRound = this::runRound;
  private final Step wake = this::wake;
  private volatile @Nullable Thread thread;
  private volatile boolean woken;

  /**
   * Prepares the thread.
   *
   * @param failure what to log if a round throws; the next round follows after a pause
   */
  public LastingThread(String name, Round round, RateLimitedLogger logger, String failure) {
    this.name = name;
    this.round = round;
    this.logger = logger;
    this.failure = failure;
  }

  /**
   * Ensures that a round begins after this call.
   *
   * @throws OutOfMemoryError if a thread is needed and the system cannot create one
   */
  public void wake() {
    woken = true;
    Thread running = thread;
    if (running == null || !running.isAlive()) {
      startUnlessAlive();
    } else {
      LockSupport.unpark(running);
    }
  }

  /**
   * Like {@link #wake}, but returns false, after a warning, if the system cannot create a thread.
   */
  public boolean tryWake(String failure) {
    return logger.attempt(failure, wake);
  }

  private synchronized void startUnlessAlive() {
    if (!isAlive()) {
      Thread started = DaemonThread.create(this::run, name);
      started.start();
      thread = started;
    }
  }

  /** Returns whether a thread is working or sleeping. */
  public boolean isAlive() {
    Thread running = thread;
    return running != null && running.isAlive();
  }

  /** Returns the thread, or null if there is none at the moment. */
  public @Nullable Thread thread() {
    return thread;
  }

  private void run() {
    Boolean ends;
    do {
      ends = logger.orElse(null, failure, oneRound);
      if (ends == null) {
        LockSupport.parkNanos(PAUSE_AFTER_ERROR_NANOS);
      }
    } while (ends == null || !ends);
  }

  private Boolean runRound() throws Exception {
    woken = false;
    long wait = round.run();
    if (wait == END) {
      return mayEnd(Thread.currentThread());
    }
    sleep(wait);
    return false;
  }

  /**
   * Returns whether the thread may end. Every wake-up is either noticed here, or starts another
   * thread.
   */
  private synchronized boolean mayEnd(Thread self) {
    thread = null;
    if (woken) {
      thread = self;
    }
    return thread == null;
  }

  private void sleep(long nanos) {
    boolean unused = Thread.interrupted(); // otherwise every later sleep would end at once
    if (!woken && nanos == FOREVER) {
      LockSupport.park();
    } else if (!woken) {
      LockSupport.parkNanos(nanos);
    }
  }
}
