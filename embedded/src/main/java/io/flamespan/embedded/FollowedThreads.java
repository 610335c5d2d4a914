/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.ThreadSamples;
import io.flamespan.correlation.internal.embedded.Work;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The threads whose samples can be joined, by the ids that the JVM gives them. Thread-safe. */
final class FollowedThreads {
  /** More than this can only be if nothing has been collected for a long time. */
  private static final int LIMIT = 65_536;

  private final Map<Long, FollowedThread> threads = new ConcurrentHashMap<>();
  private final WaitingThreads waiting = new WaitingThreads();
  private volatile boolean someAreNot;

  /**
   * Follows the calling thread, if that is possible.
   *
   * @param counter the time of its last sample, or null if it is not known
   * @param holders wants to know what the thread works for, too
   */
  @Nullable ThreadSamples follow(
      @Nullable ByteBuffer counter,
      Supplier<@Nullable Work> current,
      Supplier<@Nullable Work> ofHolder,
      @Nullable Holders holders) {
    Thread thread = Thread.currentThread();
    long id = ThreadIds.of(thread);
    if (id == ThreadIds.UNKNOWN || counter == null || threads.size() >= LIMIT) {
      someAreNot = true;
      return null;
    }
    // A thread that has lost its thread-locals is followed already.
    FollowedThread followed = threads.get(id);
    if (followed == null) {
      followed = new FollowedThread(thread, current);
      threads.put(id, followed);
      waiting.addCurrent();
    } else {
      followed.ask(current);
    }
    return new OwnSamples(
        counter, followed.reports, holders == null ? null : holders.follow(ofHolder));
  }

  /** Must be called when a session has begun that samples waits. */
  void sampleWaits(ProcessProfiler profiler) {
    waiting.begin(profiler, threads.values());
  }

  /** Returns the thread, or null if it is not followed. */
  @Nullable FollowedThread get(long id) {
    return threads.get(id);
  }

  /** Returns whether threads with a context could not be followed. */
  boolean someAreNot() {
    return someAreNot;
  }

  /** The first step of {@link Join#collect}. */
  void lookWhoIsAlive() {
    threads.values().forEach(FollowedThread::lookWhetherAlive);
  }

  /** The third step of {@link Join#collect}. */
  void readCurrent() {
    threads.values().forEach(FollowedThread::readCurrent);
  }

  /** Forgets earlier reports. */
  void forgetUntil(long time) {
    threads.values().forEach(thread -> thread.reports.forgetUntil(time));
  }

  /** Forgets the threads that had ended when {@link #lookWhoIsAlive} was called. */
  void forgetEnded() {
    threads.values().removeIf(thread -> !thread.wasAlive());
  }

  /** Forgets all. */
  void clear() {
    threads.clear();
  }
}
