/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.Work;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Joins waits for monitors with what the threads that waited and held worked for. */
final class JoinedWaits {
  /** Further waits are only counted. */
  static final int MOST = 20_000;

  /** For how long before the end of a wait it has to be clear what the holder worked for. */
  private static final long BEFORE_END_NANOS = 10_000_000;

  /** For how long a thread may wake up while the one that held the monitor goes on. */
  private static final long WAKE_UP_NANOS = 500_000;

  final List<JoinedSample> samples = new ArrayList<>();

  /** How many waits of requests have no sample. */
  long leftOut;

  private final Map<Long, WorkHistory> threads;
  private final LongPredicate isWithoutWork;
  private final long epochOffset;
  private final long error;
  private final StackTraceIds ids = new StackTraceIds();
  private final Map<String, StackTrace> stackTraces = new HashMap<>();

  /**
   * Joins nothing yet.
   *
   * @param threads by the ids that the JVM gives them
   * @param isWithoutWork whether it is known of another thread that it has worked for no request
   * @param epochOffset what to add to a time by {@link System#nanoTime()} for that since the epoch
   * @param error by how many nanoseconds the times of waits may be wrong
   */
  JoinedWaits(
      Map<Long, WorkHistory> threads, LongPredicate isWithoutWork, long epochOffset, long error) {
    this.threads = threads;
    this.isWithoutWork = isWithoutWork;
    this.epochOffset = epochOffset;
    this.error = error;
  }

  /** Adds a wait, if it was of a request. */
  void add(MonitorWait wait) {
    if (wait.nanos < Holders.THRESHOLD_NANOS) {
      return; // another recording wants it
    }
    long begin = wait.epochNanos - epochOffset;
    long end = begin + wait.nanos;
    long middle = begin + wait.nanos / 2; // while it waits, a thread works for the same
    long beyond = Math.max(0, error - wait.nanos / 2);
    WorkHistory waiting = threads.get(wait.threadId);
    Work work =
        waiting == null ? null : Work.ofSampled(waiting.within(middle - beyond, middle + beyond));
    if (work == null || work == Work.UNKNOWN) {
      return;
    }
    if (samples.size() == MOST) {
      leftOut++;
      return;
    }
    samples.add(
        new JoinedSample(
            SampleKind.HOLDER,
            wait.nanos,
            wait.epochNanos,
            wait.threadName,
            stackTraces.computeIfAbsent(wait.monitorClass, this::stackTrace),
            work,
            new Holder(heldFor(wait.holderId, begin, end), wait.holderName)));
  }

  private @Nullable Work heldFor(long threadId, long waitBegin, long waitEnd) {
    WorkHistory holding = threads.get(threadId);
    if (holding == null) {
      boolean isWithout =
          threadId == MonitorWait.NO_THREAD
              || (threadId != ThreadIds.UNKNOWN && isWithoutWork.test(threadId));
      return isWithout ? null : Work.UNKNOWN;
    }
    long from = Math.max(waitBegin, waitEnd - BEFORE_END_NANOS) - error;
    Work work = holding.within(from, waitEnd + error);
    if (work == null) { // on a busy machine, the Flight Recorder may tell a later end
      boolean hadNone = holding.within(waitBegin - error, waitEnd + error) == null;
      return hadNone ? null : Work.UNKNOWN;
    }
    if (work != Work.UNKNOWN || error > WAKE_UP_NANOS) {
      return work;
    }
    Work before = holding.within(from, waitEnd - error - WAKE_UP_NANOS);
    return before == null ? Work.UNKNOWN : before; // it may have held it for what it began
  }

  private StackTrace stackTrace(String monitorClass) {
    return ids.identify(
        monitorClass.isEmpty()
            ? Collections.emptyList()
            : Collections.singletonList(Frame.ofClass(monitorClass)));
  }
}
