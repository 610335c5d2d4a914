/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** Reads evidence about a process. A file system or a process may let a reader wait forever. */
class Readings {
  static final long LIMIT_MILLIS = 4_000;

  /** How long to wait for each after the deadline, so that what does not hang is still read. */
  private static final long LAST_MILLIS = 20;

  private static final long CHANGE_MILLIS = 1_000;
  private static final long PAUSE_MILLIS = 50;

  /** Reads something; an exception says why it cannot be read. */
  interface Reading<T> {
    T read() throws IOException;
  }

  public final TargetProcess process;
  private final Deadline deadline;

  Readings(TargetProcess process, Deadline deadline) {
    this.process = process;
    this.deadline = deadline;
  }

  /**
   * Reads evidence in a separate thread, for a limited time.
   *
   * @param what what is read, for the report
   */
  final <T> Evidence<T> read(String what, Reading<Evidence<T>> reading) {
    return read(what, LIMIT_MILLIS, reading);
  }

  final <T> Evidence<T> read(String what, long limitMillis, Reading<Evidence<T>> reading) {
    Future<Evidence<T>> task = Deadline.start("doctor: " + what, reading::read);
    try {
      long patience = Math.max(LAST_MILLIS, Math.min(limitMillis, deadline.millisLeft()));
      return task.get(patience, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return Evidence.unread(
          what + " does not answer in time", "The file system, or the process, hangs: look there.");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      String denied = cause instanceof AccessDeniedException ? "permission denied, " : "";
      return cause instanceof IOException
          ? Evidence.unread(
              what + " cannot be read: " + denied + cause.getMessage(), TargetProcess.RIGHTS)
          : Evidence.unread(what + " was not understood: " + cause, "Report this as a bug.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Evidence.unread(what + " was not read, as the doctor was interrupted", "");
    }
  }

  /**
   * Reads again if the process may be changing what is read, as one that starts does. What a
   * process has left unfinished that does not run is unknown.
   */
  final <T> Evidence<T> settled(Reading<Evidence<T>> reading, Predicate<Evidence<T>> isSettled)
      throws IOException {
    Deadline patience = new Deadline(CHANGE_MILLIS);
    Evidence<T> found = reading.read();
    while (!isSettled.test(found) && patience.pause(PAUSE_MILLIS)) {
      found = reading.read();
    }
    String halt = isSettled.test(found) ? "" : process.halt();
    return halt.isEmpty()
        ? found
        : Evidence.unread("it may be unfinished, as " + halt, "Look again when the process runs.");
  }

  /** Decodes data that the process publishes; an exception says why readers reject it. */
  final <T> Evidence<T> decoded(Reading<T> decoder) throws IOException {
    return settled(
        () -> {
          try {
            return Evidence.of(decoder.read());
          } catch (IOException e) {
            return Evidence.broken(String.valueOf(e.getMessage()));
          }
        },
        found -> !found.isBroken());
  }
}
