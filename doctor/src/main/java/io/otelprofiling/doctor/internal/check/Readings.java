/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;

/** Reads evidence about a process. A file system or a process may let a reader wait forever. */
class Readings {
  static final long LIMIT_MILLIS = 4_000;

  /** How long to wait for each after the deadline, so that what does not hang is still read. */
  private static final long LAST_MILLIS = 20;

  private static final long CHANGE_MILLIS = 1_000;
  private static final long PAUSE_MILLIS = 50;

  /** Reads something; an exception says why it cannot be read. */
  interface Reading<T> {
    Evidence<T> read() throws IOException;
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
  final <T> Evidence<T> read(String what, Reading<T> reading) {
    return read(what, LIMIT_MILLIS, reading);
  }

  final <T> Evidence<T> read(String what, long limitMillis, Reading<T> reading) {
    long patience = Math.max(LAST_MILLIS, Math.min(limitMillis, deadline.millisLeft()));
    try {
      return Deadline.result(Deadline.start("doctor: " + what, reading::read), patience);
    } catch (InterruptedIOException e) {
      return Evidence.unread(
          what + " does not answer in time", "The file system, or the process, hangs: look there.");
    } catch (IOException e) {
      String denied = e instanceof AccessDeniedException ? "permission denied, " : "";
      return Evidence.unread(
          what + " cannot be read: " + denied + e.getMessage(), TargetProcess.RIGHTS);
    } catch (IllegalStateException e) {
      return Evidence.unread(
          what + " was not understood: " + e.getCause(), "Report this as a bug.");
    }
  }

  /**
   * Reads again if what is read is broken, as a process that starts may be about to change it. What
   * a process has left unfinished that does not run is unknown.
   */
  final <T> Evidence<T> settled(Reading<T> reading) throws IOException {
    Deadline patience = new Deadline(CHANGE_MILLIS);
    Evidence<T> found = reading.read();
    while (found.isBroken() && patience.pause(PAUSE_MILLIS)) {
      found = reading.read();
    }
    String halt = found.isBroken() ? process.halt() : "";
    return halt.isEmpty()
        ? found
        : Evidence.unread("it may be unfinished, as " + halt, "Look again when the process runs.");
  }
}
