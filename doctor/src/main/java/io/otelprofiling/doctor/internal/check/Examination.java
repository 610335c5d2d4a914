/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.util.List;

/** Runs all checks on one process, in the order in which they depend on each other. */
public final class Examination {
  private static final int LOOKS = 3;
  private static final long LOOK_MILLIS = 7_000;

  /**
   * Examines a process, and examines it again if it has changed in the meantime, as one that starts
   * does: evidence from two moments may contradict itself.
   *
   * @throws IOException if the mappings of the process cannot be read
   */
  public static Report of(TargetProcess process, Deadline deadline, List<Check<?>> checks)
      throws IOException {
    for (int look = 1;
        look == 1 || (look <= LOOKS && deadline.millisLeft() > LOOK_MILLIS);
        look++) {
      Report report = new Report(process.pid, process.name());
      try (Subject subject = new Subject(process, deadline)) {
        if (subject.mappings.value != null) { // without them, nothing can be seen
          checks.forEach(check -> check.examine(subject, report, Subject.LIMIT_MILLIS));
        }
        boolean hasChanged = subject.hasChanged();
        if (process.hasEnded()) {
          return new Report("The process ended during the examination.");
        }
        subject.mappings.read();
        if (!hasChanged) {
          return report;
        }
      }
    }
    return new Report(
        "Process "
            + process.pid
            + " changes while it is examined. Look again when it has started.");
  }

  private Examination() {}
}
