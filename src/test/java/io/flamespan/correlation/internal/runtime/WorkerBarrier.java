/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.runtime;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for the worker of the plug-in that serves an SDK in this class loader. */
public final class WorkerBarrier {
  private WorkerBarrier() {}

  /** Waits until the worker has run the tasks that it has by now, such as those of the start. */
  public static void awaitTasks() {
    Correlator plugin = ServedSdk.RUNNING.get();
    if (plugin != null) {
      CountDownLatch done = new CountDownLatch(1);
      plugin.parts.afterMessages.execute(done::countDown);
      try {
        if (!done.await(1, TimeUnit.MINUTES)) {
          throw new IllegalStateException("the worker does not run its tasks");
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
