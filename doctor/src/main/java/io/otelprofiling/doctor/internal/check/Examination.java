/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.report.Report;
import java.io.IOException;

/** Runs all checks on one process, in the order in which they depend on each other. */
public final class Examination {
  /**
   * Examines a process.
   *
   * @throws IOException if the mappings of the process cannot be read
   */
  public static Report of(TargetProcess process, Deadline deadline) throws IOException {
    Report report = new Report(process.pid, process.name());
    try (Subject subject = new Subject(process, deadline)) {
      Subject.read(subject.mappings); // without them, nothing can be seen
      for (Section section : Section.all()) {
        report.section(section.title);
        for (Check<?> check : section.checks) {
          examine(check, subject, report);
        }
      }
    }
    return report;
  }

  /** Runs one check. An error in it does not prevent the others. */
  private static void examine(Check<?> check, Subject subject, Report report) {
    try {
      check.examine(subject, report);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      report.couldNotLook(
          "doctor.error", check.id + " has failed with " + e, "Report this as a bug.");
    }
  }

  private Examination() {}
}
