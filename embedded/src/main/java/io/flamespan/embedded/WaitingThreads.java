/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.threads.DaemonThread;
import java.io.IOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The threads whose waits async-profiler samples, because they may work for a span. A signal would
 * end a wait of all others in vain. New carriers add themselves. Thread-safe.
 */
final class WaitingThreads {
  private static final String CARRIER = "jdk.internal.misc.CarrierThread";

  private volatile @Nullable ProcessProfiler profiler; // null while waits are not sampled
  private @Nullable Thread adding; // of the collecting thread

  /**
   * Must be called when a session has begun that samples waits.
   *
   * @param known the threads that were added before, without carriers
   */
  void begin(ProcessProfiler profiler, Collection<FollowedThread> known) {
    this.profiler = profiler;
    addCarriers(profiler);
    Thread before = adding;
    // async-profiler takes the monitor of a thread, which the application may hold for ever.
    if (!known.isEmpty() && (before == null || !before.isAlive())) {
      Thread thread =
          DaemonThread.create(
              () -> known.forEach(followed -> add(profiler, followed.thread)), "flamespan-waits");
      try {
        thread.start();
        adding = thread;
      } catch (OutOfMemoryError e) {
        // Without a thread, the known ones are not sampled while they wait.
      }
    }
  }

  private static void add(ProcessProfiler profiler, Thread thread) {
    try {
      profiler.addThread(thread);
    } catch (IOException | RuntimeException e) {
      // It is not sampled while it waits.
    }
  }

  /** Adds the calling thread. */
  void addCurrent() {
    ProcessProfiler current = profiler;
    if (current != null) {
      add(current, Thread.currentThread());
    }
  }

  /** Adds the carriers of virtual threads, which an earlier session may have had. */
  private static void addCarriers(ProcessProfiler profiler) {
    ThreadGroup all = Thread.currentThread().getThreadGroup();
    for (ThreadGroup parent = all; parent != null; parent = parent.getParent()) {
      all = parent;
    }
    Thread[] threads = new Thread[2 * all.activeCount()];
    int count = all.enumerate(threads);
    for (int i = 0; i < count; i++) {
      if (threads[i].getClass().getName().equals(CARRIER)) {
        add(profiler, threads[i]);
      }
    }
  }
}
