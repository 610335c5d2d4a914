/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.threads.DaemonThread;
import io.otelprofiling.correlation.internal.threads.LastingThread;
import java.util.concurrent.TimeUnit;

/**
 * Lets flushes and shutdowns fail if their processor blocks the releaser for too long. Has a thread
 * while any is pending, which looks each second. Thread-safe.
 */
final class BlockedWatch {
  /** How long a processor may block before the pending flushes and shutdowns fail. */
  static final long BLOCKED_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final String FAILURE =
      "A flush or shutdown may never complete if its span processor blocks";

  /** What the watch has to know of a releaser. */
  interface Watched {
    /** Returns whether a flush or shutdown is pending. */
    boolean isPending();

    /** Returns a number that changes with each span and each round, or -1 between rounds. */
    long progress();

    /** Called each second while something is pending. */
    void keepGoing();

    /** Lets everything fail that is pending. May run any code. */
    void fail();
  }

  private final Watched watched;
  private final RateLimitedLogger logger = new RateLimitedLogger(DelayingSpanProcessor.class);
  private final LastingThread thread =
      new LastingThread("otel-profiling-watch", this::round, logger, FAILURE);
  private volatile boolean watching;
  private long progressSeen; // used in rounds
  private long checks; // without progress

  BlockedWatch(Watched watched) {
    this.watched = watched;
  }

  /** Begins to watch. Costs one read while something is watched already. Never throws. */
  void begin() {
    try {
      if (!watching) {
        watching = true;
        thread.wake();
      }
    } catch (Throwable e) {
      watching = false;
      logger.warn(FAILURE, e);
    }
  }

  /** Looks once. Returns what {@link LastingThread} does next. */
  long round() {
    if (!watched.isPending()) {
      watching = false;
      if (!watched.isPending()) {
        checks = 0;
        return LastingThread.END;
      }
      watching = true;
    }
    long progress = watched.progress();
    checks = progress == progressSeen && progress >= 0 ? checks + 1 : 0;
    progressSeen = progress;
    if (checks * CHECK_NANOS >= BLOCKED_NANOS) {
      checks = 0;
      logger.warn(
          "A span processor has blocked for "
              + TimeUnit.NANOSECONDS.toSeconds(BLOCKED_NANOS)
              + " s on a delayed span: pending flushes and shutdowns fail. Its spans keep waiting"
              + " for it");
      // Listeners of a result may run arbitrary code, so they must not run on this thread.
      DaemonThread.create(watched::fail, "otel-profiling-fail").start();
    }
    watched.keepGoing();
    return CHECK_NANOS;
  }
}
