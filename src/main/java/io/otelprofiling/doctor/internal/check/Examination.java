/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.report.Report;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Runs all checks on one process, in the order in which they depend on each other. */
public final class Examination {
  private static final int SECTIONS = 8;

  private final Subject subject;
  private final Report report;
  private final InsideFacts facts;
  private final List<Map<String, String>> inside;

  private Examination(Subject subject, Report report) {
    this.subject = subject;
    this.report = report;
    facts = new InsideFacts(subject);
    inside = facts.ask();
    if (!inside.isEmpty()) {
      subject.inside = inside.get(0);
    }
    ContextSection.findLibraries(subject);
  }

  /**
   * Examines a process.
   *
   * @throws IOException if the mappings of the process cannot be read
   */
  public static Report of(TargetProcess process) throws IOException {
    Report report = new Report(process.pid, process.name());
    try (Subject subject = new Subject(process)) {
      Examination examination = new Examination(subject, report);
      for (int section = 0; section < SECTIONS; section++) {
        examination.runAlone(section);
      }
    }
    return report;
  }

  /**
   * Returns the facts about a process without checking them.
   *
   * @throws IOException if the mappings of the process cannot be read
   */
  public static Subject found(TargetProcess process) throws IOException {
    Subject subject = new Subject(process);
    ContextSection.findLibraries(subject);
    LibrarySection.find(subject);
    return subject;
  }

  /** Runs one section. An error in it does not prevent the others. */
  private void runAlone(int section) {
    try {
      run(section);
    } catch (Exception | LinkageError | OutOfMemoryError | StackOverflowError e) {
      report.couldNotLook("doctor.error", "this section failed with " + e, "Report this as a bug.");
    }
  }

  private void run(int section) throws IOException {
    switch (section) {
      case 0:
        PluginSection.examine(subject, report);
        break;
      case 1:
        LibrarySection.examine(subject, report);
        break;
      case 2:
        SocketSection.examine(subject, report);
        break;
      case 3:
        ContextSection.examine(subject, report);
        break;
      case 4:
        ThreadsSection.examine(subject, report);
        break;
      case 5:
        InsideSection.examine(subject, report, inside, facts);
        break;
      case 6:
        OthersSection.examine(subject, report);
        break;
      default:
        HostSection.examine(subject, report);
    }
  }
}
