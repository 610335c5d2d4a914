/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.otelprofiling.correlation.internal.delay.Messages;
import io.otelprofiling.correlation.internal.transport.Worker;
import org.jspecify.annotations.Nullable;

/** Passes tasks to the worker once it exists. Any thread may call this. */
final class WorkerTasks implements Messages {
  private final Parts parts;
  private volatile @Nullable Worker worker;

  WorkerTasks(Parts parts) {
    this.parts = parts;
  }

  /** Passes tasks to this worker from now on. */
  void use(Worker started) {
    worker = started;
  }

  /** Returns the worker, or null before the start. */
  @Nullable Worker worker() {
    return worker;
  }

  /** Runs a task after all messages that have arrived by now, or inline if there is no worker. */
  void execute(Runnable task) {
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
  public void collect() {
    if (parts.embedded != null) {
      parts.embedded.collect();
    }
  }

  @Override
  public void handleArrived(long againNanos) {
    Worker started = worker;
    if (started != null) {
      started.handleArrived(againNanos);
    }
  }

  @Override
  public void roundsEnded() {
    if (worker != null) {
      parts.status.countsChanged();
    }
  }
}
