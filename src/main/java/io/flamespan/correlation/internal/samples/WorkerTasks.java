/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.samples;

import io.flamespan.correlation.internal.delay.Messages;
import io.flamespan.correlation.internal.transport.Worker;
import org.jspecify.annotations.Nullable;

/** Passes tasks to the worker once it exists. Any thread may call this. */
public final class WorkerTasks implements Messages {
  private final Runnable collectSamples;
  private volatile Runnable onRoundsEnded = () -> {};
  private volatile @Nullable Worker worker;

  /**
   * Runs tasks inline until there is a worker.
   *
   * @param collectSamples delivers what was sampled until now
   */
  public WorkerTasks(Runnable collectSamples) {
    this.collectSamples = collectSamples;
  }

  /**
   * Passes tasks to this worker from now on.
   *
   * @param onRoundsEnded runs after spans have left
   */
  public void use(Worker started, Runnable onRoundsEnded) {
    this.onRoundsEnded = onRoundsEnded;
    worker = started;
  }

  /** Returns the worker, or null before the start. */
  public @Nullable Worker worker() {
    return worker;
  }

  /** Runs a task after all messages that have arrived by now, or inline if there is no worker. */
  public void execute(Runnable task) {
    Worker started = worker;
    if (started == null) {
      task.run();
    } else {
      started.execute(task);
    }
  }

  /** See {@link Worker#checkFilesIfDue}. */
  public void checkFilesIfDue() {
    Worker started = worker;
    if (started != null) {
      started.checkFilesIfDue();
    }
  }

  @Override
  public void collect() {
    collectSamples.run();
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
    onRoundsEnded.run();
  }
}
