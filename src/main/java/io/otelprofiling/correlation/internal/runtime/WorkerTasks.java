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
  private volatile @Nullable Worker worker;
  private Runnable onRoundsEnd = () -> {}; // written before the worker
  private volatile Runnable collect = () -> {};

  /**
   * Passes tasks to this worker from now on.
   *
   * @param onRoundsEnd runs at the end of each round of a releaser
   */
  void use(Worker started, Runnable onRoundsEnd) {
    this.onRoundsEnd = onRoundsEnd;
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

  /** Sets what runs before a flush or shutdown passes spans on; it must not throw. */
  void beforeFlush(Runnable collect) {
    this.collect = collect;
  }

  @Override
  public void collect() {
    collect.run();
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
      onRoundsEnd.run();
    }
  }
}
