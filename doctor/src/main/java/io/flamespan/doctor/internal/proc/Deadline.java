/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** When something has to end. Immutable. */
public final class Deadline {
  private final long end;

  public Deadline(long millis) {
    end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  public long millisLeft() {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
  }

  /** Starts what may hang. Its thread does not keep the JVM alive. */
  public static <T> Future<T> start(String name, Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    Thread thread = new Thread(future, name);
    thread.setDaemon(true);
    thread.start();
    return future;
  }

  /**
   * Returns the result of what may hang.
   *
   * @throws InterruptedIOException if it has none in this time
   * @throws IOException if it has failed with that
   */
  public static <T> T result(Future<T> task, long millis) throws IOException {
    try {
      return task.get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | InterruptedException e) {
      throw new InterruptedIOException("it does not answer in time");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException) {
        throw (IOException) e.getCause();
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Returns whether there is time left, after a pause. */
  public boolean pause(long millis) {
    try {
      Thread.sleep(Math.min(millis, millisLeft()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return millisLeft() > 0;
  }
}
