/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.threads.DaemonThread;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that run one task after the other, and end when there was nothing to do for a while. */
public final class IdleThreads {
  private static final int IDLE_SECONDS = 10;

  /** Creates one, which is a daemon. */
  public static ThreadPoolExecutor create(String name) {
    ThreadPoolExecutor thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> DaemonThread.create(task, name));
    thread.allowCoreThreadTimeOut(true);
    return thread;
  }

  /** Lets one end as soon as there is nothing to do. Later tasks run nevertheless. */
  public static void endSoon(Executor thread) {
    if (thread instanceof ThreadPoolExecutor) {
      ((ThreadPoolExecutor) thread).setKeepAliveTime(1, TimeUnit.MILLISECONDS);
    }
  }

  private IdleThreads() {}
}
