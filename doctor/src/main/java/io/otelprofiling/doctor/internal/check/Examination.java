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
   * @throws IOException if the mappings of the process cannot be read, or it has ended
   */
  public static Report of(TargetProcess process, Deadline deadline) throws IOException {
    return of(process, deadline, Checks.ALL);
  }

  static Report of(TargetProcess process, Deadline deadline, List<Section> sections)
      throws IOException {
    for (int look = 1; ; look++) {
      Report report = new Report(process.pid, process.name());
      try (Subject subject = new Subject(process, deadline)) {
        process.checkHasNotEnded();
        subject.mappings.read(); // without them, nothing can be seen
        sections.forEach(section -> section.examine(subject, report, Readings.LIMIT_MILLIS));
        boolean isLast = look == LOOKS || deadline.millisLeft() < LOOK_MILLIS;
        boolean isSame = subject.isSameProgram();
        process.checkHasNotEnded();
        if (isSame && (isLast || !subject.hasChanged())) {
          return report;
        }
        if (isLast) {
          return replaced(process);
        }
      }
    }
  }

  private static Report replaced(TargetProcess process) {
    Report report = new Report(process.pid, process.name());
    report.section(Checks.PLUGIN.title);
    report.add(
        Verdict.COULD_NOT_LOOK,
        "library.mapped",
        "the process executed another program during the examination",
        "Look again when it has started.");
    return report;
  }

  private Examination() {}
}
