/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** The local root of a span whose times are taken. Others do without the memory for them. */
final class TimedLocalRoot extends LocalRoot {
  private static final String FAILURE = "A span lacks exact times";
  private static final double NANOS = 1e9; // in a second
  private static final long TOLERANCE_NANOS = 1_000_000;
  private static final int TOLERANCE_PART = 100; // of the duration

  private static final int RUNNING = 0;
  private static final int ENDING = 1;
  private static final int ENDED = 2;
  private static final int FAILED = 3;

  // The places in the array, and the bits of what is known.
  private static final int CPU = 0;
  private static final int RUN_QUEUE = 1;
  private static final int THREAD_ID = 2;

  private static final AtomicIntegerFieldUpdater<TimedLocalRoot> STATE =
      AtomicIntegerFieldUpdater.newUpdater(TimedLocalRoot.class, "state");

  private final SpanTimes clocks;
  private final long @Nullable [] ofThread;
  // Before the span began; from its end on, since then.
  private long elapsed;
  private long stopped;
  private int known = -1; // of the array
  private volatile int state; // RUNNING first; guards the fields above once the span has ended

  /** Reads the clocks. A sampler does so before the span has a timestamp. */
  TimedLocalRoot(Object existsWhileSpanMayEnd, SpanTimes clocks) {
    super(existsWhileSpanMayEnd);
    this.clocks = clocks;
    this.ofThread = clocks.threadNanosSince == null ? null : new long[THREAD_ID + 1];
    read(RUNNING);
  }

  @Override
  public void endTimes() {
    if (state != RUNNING || !STATE.compareAndSet(this, RUNNING, ENDING)) {
      return;
    }
    read(ENDED);
  }

  /** Reads all clocks, and then enters this state. If one fails, the span does without times. */
  private void read(int next) {
    try {
      boolean begins = next == RUNNING;
      if (begins) {
        elapsed = clocks.nanoClock.getAsLong(); // what happens between two clocks shows here
      }
      if (clocks.stoppedNanos != null) {
        stopped = clocks.stoppedNanos.getAsLong() - stopped;
      }
      if (ofThread != null && clocks.threadNanosSince != null) {
        long thread = Thread.currentThread().getId();
        if (begins) {
          ofThread[THREAD_ID] = thread;
        }
        known &= ofThread[THREAD_ID] == thread ? clocks.threadNanosSince.applyAsInt(ofThread) : 0;
      }
      if (!begins) {
        elapsed = clocks.nanoClock.getAsLong() - elapsed;
      }
      STATE.lazySet(this, next);
    } catch (Throwable e) {
      state = FAILED;
      clocks.failureLogger.warn(FAILURE, e);
    }
  }

  @Override
  public Attributes times(ReadableSpan span) {
    return state == ENDED ? times(span.getLatencyNanos()) : Attributes.empty();
  }

  /**
   * The clocks are read shortly before the span begins, and shortly after it has ended. If that
   * differs too much from its timestamps, because the application has set them, or something
   * happened in between, nothing is known exactly. A stop that was over before, but was counted
   * only then, may exceed the whole time.
   */
  Attributes times(long duration) {
    if (duration < 0
        || Math.abs(elapsed - duration) > Math.max(TOLERANCE_NANOS, duration / TOLERANCE_PART)) {
      return Attributes.empty();
    }
    if (ofThread == null) {
      return isStoppedKnown()
          ? Attributes.of(SpanTimes.STOPPED, seconds(stopped, duration))
          : Attributes.empty();
    }
    AttributesBuilder times = Attributes.builder();
    if (isStoppedKnown()) {
      times.put(SpanTimes.STOPPED, seconds(stopped, duration));
    }
    if (isKnown(CPU)) {
      times.put(SpanTimes.CPU, seconds(ofThread[CPU], duration));
    }
    if (isKnown(RUN_QUEUE)) {
      times.put(SpanTimes.RUN_QUEUE, seconds(ofThread[RUN_QUEUE], duration));
    }
    return times.build();
  }

  private static double seconds(long nanos, long duration) {
    return Math.min(nanos, duration) / NANOS;
  }

  private boolean isStoppedKnown() {
    return clocks.stoppedNanos != null && stopped >= 0 && stopped <= elapsed;
  }

  private boolean isKnown(int place) {
    return (known & 1 << place) != 0;
  }
}
