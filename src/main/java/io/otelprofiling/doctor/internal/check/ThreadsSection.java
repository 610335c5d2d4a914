/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.reader.FoundThreadRecord;
import io.otelprofiling.doctor.internal.report.Report;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks what the threads show, while they run. */
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
    boolean isFound = subject.elastic != null || subject.context != null;
    if (subject.memory == null || (!isFound && subject.isStorageHidden())) {
      report.couldNotLook(
          "threads.records", "the library or the memory cannot be read", subject.rightsToRead());
    } else if (!isFound) {
      report.notChecked("threads.records", "no library that publishes them", "");
    } else if (subject.isMusl) {
      report.couldNotLook(
          "threads.records",
          "the doctor cannot find the threads of musl",
          "Use a profiler that supports musl to see them.");
    } else {
      try {
        new ThreadsSection(report).records(subject, new LiveThreads(subject));
      } catch (IOException e) {
        report.couldNotLook(
            "threads.records", String.valueOf(e.getMessage()), subject.rightsToRead());
      }
    }
  }

  private void records(Subject subject, LiveThreads threads) throws IOException {
    for (LiveThreads.Shown thread : threads.found) {
      FoundThreadRecord elastic = thread.elastic;
      FoundThreadRecord context = thread.context;
      records += elastic == null ? 0 : 1;
      contexts += context == null ? 0 : 1;
      traces += thread.showsTrace() ? 1 : 0;
      look(subject, thread.tid, elastic);
      look(subject, thread.tid, context);
    }
    Map<Integer, String> lost = threads.lost;
    if (!lost.isEmpty()) {
      lost.keySet().retainAll(threads.readAgain(subject).lost.keySet());
    }
    lost.forEach((tid, where) -> problem(subject, tid, where));
    String seen =
        String.format(
            "%d of %d threads found, %d have a record, %d a thread context, %d show a trace now",
            threads.found.size(), threads.threads, records, contexts, traces);
    if (!problem.isEmpty()) {
      report.fault(
          "threads.records",
          problem,
          "The library breaks the protocol: report this to its project.");
    } else if (threads.found.isEmpty()) {
      report.couldNotLook(
          "threads.records", seen, "Check the C library: the doctor finds only threads of glibc.");
    } else if (records + contexts == 0) {
      report.warning(
          "threads.records",
          seen,
          "No thread has made a span current since the start"
              + (subject.isForeign
                  ? "."
                  : ", or the plug-in's context storage is not in use: see"
                      + " inside.context-storage."));
    } else {
      report.ok("threads.records", seen);
    }
  }

  private void look(Subject subject, int tid, @Nullable FoundThreadRecord record) {
    if (record != null && !record.problem().isEmpty()) {
      problem(subject, tid, record.problem());
    }
  }

  private void problem(Subject subject, int tid, String what) {
    problem = "thread " + subject.process.threadName(tid) + ": " + what;
  }
}
