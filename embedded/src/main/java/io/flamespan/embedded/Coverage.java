/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.log.Trouble;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the samples stand for with the CPU time of the process, once a minute: whatever
 * prevents samples, async-profiler does not say so. Used by one thread at a time; any thread may
 * read the sums.
 */
final class Coverage {
  private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final double ENOUGH = 0.5;
  private static final long MIN_CPU_MILLIS = 2_000;
  private static final double USED_UP = 0.95;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long UNKNOWN = -1;

  private final ProcessFiles files;
  private final long periodNanos;
  private final AtomicLong cpuMillis = new AtomicLong();
  private final AtomicLong sampledMillis = new AtomicLong();
  private long samples; // since the last look
  private long cpuAtLook;
  private long lookNanos;
  private @Nullable String said;

  /** Begins now, at this time by {@link System#nanoTime()}. */
  Coverage(ProcessFiles files, long periodNanos, long nowNanos) {
    this.files = files;
    this.periodNanos = periodNanos;
    lookNanos = nowNanos;
    cpuAtLook = cpuNow();
  }

  private long cpuNow() {
    try {
      return files.cpuMillis();
    } catch (IOException | RuntimeException e) {
      return UNKNOWN; // not on Linux, or the process has no free descriptor
    }
  }

  /** Adds samples of CPU time, also those without a stack. */
  void add(long count) {
    samples += count;
  }

  /** Returns the CPU time of the process from the begin to the last look. */
  long cpuMillis() {
    return cpuMillis.get();
  }

  /** Returns how much of it the samples stand for. */
  long sampledMillis() {
    return sampledMillis.get();
  }

  /**
   * Compares, if a minute has passed, and says which limit is to blame if most of the CPU time was
   * not sampled.
   *
   * @param engine of async-profiler, or null if it is not known
   */
  void lookIfDue(long nowNanos, @Nullable String engine) {
    if (nowNanos - lookNanos < INTERVAL_NANOS) {
      return;
    }
    lookNanos = nowNanos;
    long now = cpuNow();
    if (now == UNKNOWN) {
      return;
    }
    if (cpuAtLook == UNKNOWN) {
      cpuAtLook = now;
      samples = 0;
      return;
    }
    long used = now - cpuAtLook;
    long sampled = Math.round(samples * (periodNanos / NANOS_PER_MILLI));
    cpuAtLook = now;
    samples = 0;
    cpuMillis.addAndGet(used);
    sampledMillis.addAndGet(sampled);
    if (used >= MIN_CPU_MILLIS && sampled < ENOUGH * used) {
      String cause = cause(engine);
      if (!cause.equals(said)) {
        said = cause;
        Trouble.warn(
            Coverage.class,
            "Samples of the last minute stand for "
                + sampled
                + " of "
                + used
                + " ms of CPU time: "
                + cause);
      }
    }
  }

  private String cause(@Nullable String engine) {
    try {
      boolean hasTimers = !EmbeddedAsyncProfiler.PERF_EVENTS.equals(engine);
      if (hasTimers && files.pendingSignals() >= USED_UP * files.maxPendingSignals()) {
        return "timers of all processes of this user take "
            + files.pendingSignals()
            + " of the "
            + files.maxPendingSignals()
            + " pending signals that it may have, one for each thread. Raise ulimit -i"
            + " (LimitSIGPENDING= of systemd)";
      }
      if (!hasTimers && files.openFiles() >= USED_UP * files.maxOpenFiles()) {
        return "the process has opened "
            + files.openFiles()
            + " of the "
            + files.maxOpenFiles()
            + " files that it may open, and perf_events needs one for each thread. Raise ulimit -n";
      }
    } catch (IOException | RuntimeException e) {
      return "the limits of the process cannot be read: " + e;
    }
    if (periodNanos < EmbeddedAsyncProfiler.TICK_NANOS) {
      return "timers are bound to the kernel's tick. Set embedded.profiler.period to 10 ms or more";
    }
    return "no limit of the process is used up. Threads that live shorter than a period, or block"
        + " signals, are not sampled, and none are if other code handles the profiler's signal now";
  }
}
