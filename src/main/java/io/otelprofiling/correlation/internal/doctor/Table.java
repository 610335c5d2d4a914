/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.doctor;

import io.otelprofiling.correlation.internal.doctor.check.Examination;
import io.otelprofiling.correlation.internal.doctor.proc.TargetProcess;
import io.otelprofiling.correlation.internal.doctor.report.Report;
import io.otelprofiling.correlation.internal.doctor.report.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * All Java processes, a line for each. They are examined side by side, because one that does not
 * answer takes five seconds.
 */
final class Table {
  private static final int THREADS = 32;
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(14);

  private final PrintStream out;
  private final PrintStream err;
  private final boolean json;
  private final List<String> objects = new ArrayList<>();
  private int status = Doctor.FINE;

  Table(PrintStream out, PrintStream err, boolean json) {
    this.out = out;
    this.err = err;
    this.json = json;
  }

  /** Returns the exit status. */
  int print() throws IOException {
    ExecutorService pool =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "doctor");
              thread.setDaemon(true);
              return thread;
            });
    long end = System.nanoTime() + LIMIT_NANOS;
    Map<TargetProcess, Future<Report>> reports = new LinkedHashMap<>();
    for (TargetProcess process : TargetProcess.allJava()) {
      reports.put(process, pool.submit(() -> Examination.of(process)));
    }
    reports.forEach((process, report) -> print(process, report, end));
    pool.shutdownNow();
    if (objects.isEmpty()) {
      err.println(
          "No Java process is visible here. Run the doctor as root, in the PID namespace of the"
              + " processes, where /proc is not mounted with hidepid.");
      status = Doctor.COULD_NOT_LOOK;
    }
    if (json) {
      out.println("[" + String.join(",", objects) + "]");
    }
    return status;
  }

  private void print(TargetProcess process, Future<Report> examined, long end) {
    try {
      print(process, examined.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      couldNotLook(process, "no result in time; examine it alone");
    } catch (ExecutionException e) {
      if (process.exists()) {
        couldNotLook(process, "may not be looked at; run as root, with CAP_SYS_PTRACE");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void print(TargetProcess process, Report report) {
    if (process.startTime().isEmpty()) {
      return; // it has ended, and what was seen last is not true of it
    }
    if (objects.isEmpty() && !json) {
      out.printf("%8s  %-30s %-12s %s%n", "PID", "process", "verdict", "first finding");
    }
    objects.add(report.json());
    if (report.verdict() == Verdict.FAULT && status == Doctor.FINE) {
      status = Doctor.FAULT;
    }
    if (!json) {
      out.println(
          Report.inOneLine(
              String.format(
                  "%8d  %-30.30s %-12s %s",
                  process.pid, process.name(), report.verdict(), report.headlineAndCount())));
    }
  }

  private void couldNotLook(TargetProcess process, String why) {
    String line = Report.inOneLine(process.pid + " " + process.name() + ": " + why);
    err.println(line);
    objects.add(Report.jsonOfError(line));
    status = Doctor.COULD_NOT_LOOK;
  }
}
