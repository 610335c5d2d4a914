/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.command;

import io.otelprofiling.doctor.internal.check.Checks;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Prints one line for each Java process. Processes are examined concurrently, because one that does
 * not answer takes several seconds. Main ends the JVM, also if some of these threads hang.
 */
final class ProcessTable {
  private static final int THREADS = 32;
  private static final long LIMIT_MILLIS = 50_000;
  private static final long MARGIN_MILLIS = 5_000;
  private static final String HIDDEN = "/proc is mounted with hidepid: others are not listed. ";
  private static final String NONE =
      "No Java process is visible here. Run the doctor on the host, or in their PID namespace.";

  private final boolean json;
  private final List<String> objects = new ArrayList<>();
  private Verdict worst = Verdict.OK;

  ProcessTable(boolean json) {
    this.json = json;
  }

  int print() throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    Deadline end = new Deadline(LIMIT_MILLIS);
    Deadline deadline = new Deadline(LIMIT_MILLIS - MARGIN_MILLIS);
    int self = TargetProcess.self().pid;
    Map<TargetProcess, Future<@Nullable Report>> reports = new LinkedHashMap<>();
    for (TargetProcess process : TargetProcess.all()) {
      if (process.pid != self && process.pid != OwnJvm.LAUNCHER) {
        reports.put( // finding out whether it has a JVM may hang as well
            process,
            pool.submit(
                () -> process.isJava() ? Checks.examine(process, deadline, Checks.ALL) : null));
      }
    }
    for (Map.Entry<TargetProcess, Future<@Nullable Report>> each : reports.entrySet()) {
      Report report = result(each.getKey(), each.getValue(), end);
      if (report != null && !each.getKey().hasEnded()) { // then it is no longer true
        print(report);
      }
    }
    if (TargetProcess.hidesOthers()) {
      print(new Report(HIDDEN + TargetProcess.RIGHTS));
    } else if (objects.isEmpty()) {
      print(new Report(NONE));
    }
    System.out.print(json ? "[" + String.join(",", objects) + "]\n" : "");
    return worst.status;
  }

  private static @Nullable Report result(
      TargetProcess process, Future<@Nullable Report> examined, Deadline end) {
    String name = process.pid + " " + process.status("Name"); // its whole name is in its memory
    try {
      return Deadline.result(examined, end.millisLeft());
    } catch (InterruptedIOException e) {
      return process.isOfTheKernel() ? null : new Report(name + ": no result in time");
    } catch (IOException | IllegalStateException e) {
      return new Report(name + ": cannot be examined. " + TargetProcess.RIGHTS);
    }
  }

  private void print(Report report) {
    boolean isOthers = report.isWorst("library.mapped", "this process does not show");
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
