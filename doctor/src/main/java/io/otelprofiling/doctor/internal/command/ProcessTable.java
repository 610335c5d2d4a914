/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.command;

import io.otelprofiling.doctor.internal.check.Examination;
import io.otelprofiling.doctor.internal.check.Report;
import io.otelprofiling.doctor.internal.check.Verdict;
import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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
  private int status = Doctor.FINE;

  ProcessTable(boolean json) {
    this.json = json;
  }

  /** Prints the table and returns the exit status. */
  int print() throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    Deadline end = new Deadline(LIMIT_MILLIS);
    Deadline deadline = new Deadline(LIMIT_MILLIS - MARGIN_MILLIS);
    TargetProcess self = TargetProcess.self();
    String launcher = OwnJvm.launcher(self);
    Map<TargetProcess, Future<Optional<Report>>> reports = new LinkedHashMap<>();
    for (TargetProcess process : TargetProcess.all()) {
      if (process.pid != self.pid && !launcher.equals(process.pid + "")) {
        reports.put(process, pool.submit(() -> examine(process, deadline)));
      }
    }
    reports.forEach((process, report) -> print(process, report, end));
    if (TargetProcess.hidesOthers()) {
      couldNotLook(
          "Processes of other users are not listed, because /proc is mounted with hidepid. "
              + TargetProcess.RIGHTS);
    } else if (objects.isEmpty()) {
      couldNotLook(
          "No Java process is visible here. Run the doctor in the PID namespace of the processes,"
              + " or on the host.");
    }
    System.out.print(json ? "[" + String.join(",", objects) + "]\n" : "");
    return status;
  }

  /** Examines a process if it has a JVM, for which its memory is read, which may hang. */
  private static Optional<Report> examine(TargetProcess process, Deadline deadline)
      throws IOException {
    return process.isJava() ? Optional.of(Examination.of(process, deadline)) : Optional.empty();
  }

  private void print(TargetProcess process, Future<Optional<Report>> examined, Deadline end) {
    // If it has ended, its report is no longer true.
    try {
      examined
          .get(end.millisLeft(), TimeUnit.MILLISECONDS)
          .filter(report -> !process.hasEnded())
          .ifPresent(report -> print(process, report));
    } catch (TimeoutException e) {
      // Not its whole name, which is in its memory.
      couldNotLook(process.pid + " " + process.status("Name") + ": no result in time");
    } catch (ExecutionException e) {
      if (!process.hasEnded()) {
        String name = process.pid + " " + process.name();
        couldNotLook(name + ": cannot be examined. " + TargetProcess.RIGHTS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void print(TargetProcess process, Report report) {
    if (objects.isEmpty() && !json) {
      System.out.printf("%8s  %-30s %-16s %s%n", "PID", "process", "verdict", "first finding");
    }
    objects.add(report.json());
    boolean isOthers = report.isWorst("library.mapped");
    Verdict verdict = isOthers ? Verdict.NOT_CHECKED : report.verdict();
    note(Doctor.statusOf(verdict));
    if (!json) {
      String name = process.name();
      String headline = report.headlineAndCount();
      System.out.println(
          Report.inOneLine(
              String.format("%8d  %-30.30s %-16s %s", process.pid, name, verdict, headline)));
    }
  }

  private void couldNotLook(String why) {
    String line = Report.inOneLine(why);
    System.err.println(line);
    objects.add(Report.jsonOfError(line));
    note(Doctor.COULD_NOT_LOOK);
  }

  /** A fault takes precedence over a process that could not be examined. */
  private void note(int found) {
    status = status == Doctor.FAULT || found == Doctor.FAULT ? Doctor.FAULT : status | found;
  }
}
