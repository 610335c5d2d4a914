/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.command;

import io.otelprofiling.doctor.internal.check.Checks;
import io.otelprofiling.doctor.internal.check.Examination;
import io.otelprofiling.doctor.internal.check.Report;
import io.otelprofiling.doctor.internal.check.Verdict;
import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Prints one line for each Java process. Processes are examined concurrently, because one that does
 * not answer takes five seconds. Main ends the JVM, also if some of these threads hang.
 */
final class ProcessTable {
  private static final int THREADS = 32;
  private static final long LIMIT_MILLIS = 14_000;
  private static final long MARGIN_MILLIS = 1_000;

  private final boolean json;
  private final List<String> objects = new ArrayList<>();
  private Verdict worst = Verdict.OK;

  ProcessTable(boolean json) {
    this.json = json;
  }

  /** Prints the table and returns the exit status. */
  int print() throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    Deadline end = new Deadline(LIMIT_MILLIS);
    Deadline deadline = new Deadline(LIMIT_MILLIS - MARGIN_MILLIS);
    int self = TargetProcess.self().pid;
    Map<TargetProcess, Future<Optional<Report>>> reports = new LinkedHashMap<>();
    for (TargetProcess process : TargetProcess.all()) {
      if (process.pid != self && process.pid != OwnJvm.launcher()) {
        reports.put(process, pool.submit(() -> examine(process, deadline)));
      }
    }
    reports.forEach(
        (process, report) ->
            result(process, report, end)
                .filter(found -> !process.hasEnded()) // then it is no longer true
                .ifPresent(this::print));
    if (TargetProcess.hidesOthers()) {
      print(
          new Report(
              "Processes of other users are not listed, because /proc is mounted with hidepid. "
                  + TargetProcess.RIGHTS));
    } else if (objects.isEmpty()) {
      print(
          new Report(
              "No Java process is visible here. Run the doctor in the PID namespace of the"
                  + " processes, or on the host."));
    }
    System.out.print(json ? "[" + String.join(",", objects) + "]\n" : "");
    return worst.status;
  }

  /** Examines a process if it has a JVM, for which its memory is read, which may hang. */
  private static Optional<Report> examine(TargetProcess process, Deadline deadline)
      throws IOException {
    return process.isJava()
        ? Optional.of(Examination.of(process, deadline, Checks.ALL))
        : Optional.empty();
  }

  private static Optional<Report> result(
      TargetProcess process, Future<Optional<Report>> examined, Deadline end) {
    try {
      return Deadline.result(examined, end.millisLeft());
    } catch (InterruptedIOException e) {
      // Not its whole name, which is in its memory.
      return Optional.of(
          new Report(process.pid + " " + process.status("Name") + ": no result in time"));
    } catch (IOException | IllegalStateException e) {
      String name = process.pid + " " + process.name();
      return Optional.of(new Report(name + ": cannot be examined. " + TargetProcess.RIGHTS));
    }
  }

  private void print(Report report) {
    boolean isOthers = report.isWorst("library.mapped");
    Verdict verdict = isOthers ? Verdict.NOT_CHECKED : report.verdict();
    if (!report.obstacle.isEmpty()) {
      System.err.print(report.text());
    } else if (!json) {
      System.out.print(objects.isEmpty() ? Report.HEAD : "");
      System.out.println(report.row(verdict));
    }
    objects.add(report.json());
    worst = verdict.compareTo(worst) > 0 ? verdict : worst;
  }
}
