/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Evidence that is read once, when it is first needed, by a separate thread: a file system or a
 * process may let a reader wait forever.
 */
final class Fact<T> {
  /** Reads evidence; an exception says why it cannot be read. */
  interface Reading<T> {
    Evidence<T> read() throws IOException;
  }

  private final String what;
  private final String remedy;
  private final Deadline deadline;
  private final long limitMillis;
  private final FutureTask<Evidence<T>> task;
  private boolean isStarted;
  private boolean hangs;

  /**
   * @param limitMillis how long to wait for it
   * @param what what is read, for the report
   * @param remedy what helps if it cannot be read
   */
  Fact(Deadline deadline, long limitMillis, String what, String remedy, Reading<T> reading) {
    this.limitMillis = limitMillis;
    this.what = what;
    this.remedy = remedy;
    this.deadline = deadline;
    task = new FutureTask<>(reading::read);
  }

  /** Returns the evidence. A later caller does not wait again for what hangs. */
  synchronized Evidence<T> get() {
    if (!isStarted) {
      isStarted = true;
      Thread thread = new Thread(task, "doctor: " + what);
      thread.setDaemon(true);
      thread.start();
    }
    try {
      long patience = hangs ? 0 : Math.min(limitMillis, deadline.millisLeft());
      return task.get(patience, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      hangs = true;
      return Evidence.unread(
          what + " does not answer in time", "The file system, or the process, hangs: look there.");
    } catch (ExecutionException e) {
      return failed(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Evidence.unread(what + " was not read, as the doctor was interrupted", "");
    }
  }

  /** Returns what was read until now, or null. */
  @Nullable T peek() {
    return isStarted && task.isDone() ? get().value : null;
  }

  private Evidence<T> failed(@Nullable Throwable cause) {
    if (cause instanceof IOException) {
      boolean isMissing = cause instanceof NoSuchFileException;
      return Evidence.unread(
          what + " cannot be read" + (isMissing ? ", it is gone" : ": " + cause.getMessage()),
          remedy);
    }
    return Evidence.unread(what + " was not understood: " + cause, "Report this as a bug.");
  }
}
