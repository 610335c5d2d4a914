/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.doctor.check;

import io.otelprofiling.correlation.internal.doctor.reader.ThreadRecord;
import io.otelprofiling.correlation.internal.doctor.report.Report;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What the threads show, read while they run. */
final class ThreadsSection {
  private final Report report;
  private int records;
  private int contexts;
  private int traces;
  private String problem = "";

  private ThreadsSection(Report report) {
    this.report = report;
  }

  static void examine(Subject subject, Report report) {
    report.section("Threads");
    if (subject.elastic == null && subject.context == null) {
      report.notChecked("threads.records", "no library was found that has them", "");
    } else if (subject.memory == null || subject.isMusl) {
      report.notChecked(
          "threads.records",
          subject.isMusl ? "the threads of musl cannot be found" : "the memory may not be read",
          subject.isMusl ? "" : LibrarySection.READ_AS_ROOT);
    } else {
      try {
        new ThreadsSection(report).records(subject, new LiveThreads(subject));
      } catch (IOException e) {
        report.notChecked(
            "threads.records", String.valueOf(e.getMessage()), LibrarySection.READ_AS_ROOT);
      }
    }
  }

  private void records(Subject subject, LiveThreads threads) {
    for (LiveThreads.Shown thread : threads.found) {
      ThreadRecord elastic = thread.elastic;
      ThreadRecord context = thread.context;
      records += elastic == null ? 0 : 1;
      contexts += context == null ? 0 : 1;
      traces += thread.showsTrace() ? 1 : 0;
      look(subject, thread.tid, elastic);
      look(subject, thread.tid, context);
    }
    String seen =
        String.format(
            "%d of %d threads found, %d have a record, %d a thread context, %d show a trace now",
            threads.found.size(), threads.threads, records, contexts, traces);
    if (!problem.isEmpty()) {
      report.fault("threads.records", problem, "The writer breaks the protocol: report it.");
    } else if (threads.found.isEmpty()) {
      report.notChecked("threads.records", seen, "Is this a C library other than glibc?");
    } else if (records + contexts == 0) {
      report.warning(
          "threads.records",
          seen,
          "No thread has made a span current since the start"
              + (subject.isForeign
                  ? "."
                  : ", or the context storage is not ours: see inside.context-storage."));
    } else {
      report.ok("threads.records", seen);
    }
  }

  private void look(Subject subject, int tid, @Nullable ThreadRecord record) {
    if (record != null && !record.problem().isEmpty()) {
      problem = "thread " + subject.process.threadName(tid) + ": " + record.problem();
    }
  }
}
