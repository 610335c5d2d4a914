/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A timer whose daemon thread exists only while a task waits. */
final class DaemonTimer implements Timer {
  private static final long KEEP_ALIVE_SECONDS = 1;

  private final ScheduledThreadPoolExecutor executor;

  DaemonTimer(String threadName) {
    executor = new ScheduledThreadPoolExecutor(1, task -> thread(task, threadName));
    executor.setKeepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
  }

  /** Does not inherit the class loader of the application's thread that happens to need it. */
  private static Thread thread(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.setContextClassLoader(DaemonTimer.class.getClassLoader());
    return thread;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // No caller waits, and tasks do not throw.
  public void after(long nanos, Runnable task) {
    executor.schedule(task, nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
