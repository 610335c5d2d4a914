/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.otlp;

import io.otelprofiling.correlation.internal.threads.DaemonThread;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A timer whose daemon thread exists only while a task waits. */
final class DaemonTimer implements Timer {
  private static final long KEEP_ALIVE_SECONDS = 1;

  private final ScheduledThreadPoolExecutor executor;

  DaemonTimer(String threadName) {
    executor = new ScheduledThreadPoolExecutor(1, task -> DaemonThread.create(task, threadName));
    executor.setKeepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
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
