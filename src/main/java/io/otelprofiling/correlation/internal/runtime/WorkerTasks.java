/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.otelprofiling.correlation.internal.delay.DelayingSpanProcessor;
import io.otelprofiling.correlation.internal.transport.Worker;
import org.jspecify.annotations.Nullable;

/** Passes tasks to the worker once it exists. Any thread may call this. */
final class WorkerTasks implements DelayingSpanProcessor.Scheduler {
  private volatile @Nullable Worker worker;

  void use(Worker started) {
    worker = started;
  }

  /** Returns the worker, or null before the start. */
  @Nullable Worker worker() {
    return worker;
  }

  @Override
  public void execute(Runnable task) {
    Worker started = worker;
    if (started == null) {
      task.run();
    } else {
      started.execute(task);
    }
  }

  /** See {@link Worker#checkFilesIfDue}. */
  void checkFilesIfDue() {
    Worker started = worker;
    if (started != null) {
      started.checkFilesIfDue();
    }
  }

  @Override
  public void handleMessages(long againNanos) {
    Worker started = worker;
    if (started != null) {
      started.handleArrived(againNanos);
    }
  }
}
