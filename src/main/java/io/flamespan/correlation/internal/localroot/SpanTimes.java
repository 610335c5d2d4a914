/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.TraceState;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of the exact times that sampled local root spans get as attributes, in seconds. They
 * are in a static field because a sampler, which creates local roots, serves one plug-in after the
 * other. Immutable.
 */
public final class SpanTimes {
  /** For how long the JVM stood still while the span ran. */
  public static final AttributeKey<Double> STOPPED = AttributeKey.doubleKey("jvm.stopped.time");

  /** For how long the thread of the span was on a CPU. */
  public static final AttributeKey<Double> CPU = AttributeKey.doubleKey("thread.cpu.time");

  /** For how long that thread was ready, but not on a CPU. */
  public static final AttributeKey<Double> RUN_QUEUE =
      AttributeKey.doubleKey("thread.run_queue.time");

  private static volatile @Nullable SpanTimes taken;

  final RateLimitedLogger failureLogger = new RateLimitedLogger(SpanTimes.class);
  final LongSupplier nanoClock;
  final @Nullable LongSupplier stoppedNanos;
  final @Nullable ToIntFunction<long[]> threadNanosSince;

  SpanTimes(
      LongSupplier nanoClock,
      @Nullable LongSupplier stoppedNanos,
      @Nullable ToIntFunction<long[]> threadNanosSince) {
    this.nanoClock = nanoClock;
    this.stoppedNanos = stoppedNanos;
    this.threadNanosSince = threadNanosSince;
  }

  /**
   * Takes the times of local root spans that start from now on. Without clocks, takes none.
   *
   * @param stoppedNanos returns for how long the JVM has stood still
   * @param threadNanosSince replaces the CPU time and the time in a run queue of the calling thread
   *     by what was added since. Returns a bit for each time that is known, from the lowest one on:
   *     0 on a virtual thread
   */
  public static void take(
      @Nullable LongSupplier stoppedNanos, @Nullable ToIntFunction<long[]> threadNanosSince) {
    if (stoppedNanos == null && threadNanosSince == null) {
      taken = null;
      return;
    }
    SpanTimes times = new SpanTimes(System::nanoTime, stoppedNanos, threadNanosSince);
    // Loads classes, which may not be there any more when they are loaded late.
    TimedLocalRoot rehearsal = new TimedLocalRoot(TraceState.getDefault(), times);
    rehearsal.endTimes();
    boolean unused = rehearsal.times(0).isEmpty();
    taken = times;
  }

  /** Returns the clocks of spans that start now, or null if their times are not taken. */
  public static @Nullable SpanTimes taken() {
    return taken;
  }
}
