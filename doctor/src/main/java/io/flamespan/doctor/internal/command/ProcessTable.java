/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.command;

import io.flamespan.doctor.internal.check.Checks;
import io.flamespan.doctor.internal.check.Report;
import io.flamespan.doctor.internal.check.Verdict;
import io.flamespan.doctor.internal.proc.Deadline;
import io.flamespan.doctor.internal.proc.TargetProcess;
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
    int self = TargetProcess.self().pid;
    Map<TargetProcess, Future<@Nullable Report>> reports = new LinkedHashMap<>();
    for (TargetProcess process : TargetProcess.all()) {
      if (process.pid != self && process.pid != OwnJvm.LAUNCHER) {
        reports.put(process, pool.submit(() -> examine(process)));
      }
    }
    for (Map.Entry<TargetProcess, Future<@Nullable Report>> each : reports.entrySet()) {
      Report report = result(each.getKey(), each.getValue());
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

  /** Returns nothing about a process without a JVM. Finding that out may hang as well. */
  private static @Nullable Report examine(TargetProcess process) throws IOException {
    Deadline deadline = new Deadline(Doctor.LIMIT_MILLIS);
    return Deadline.result(
        Deadline.start(
            "doctor: a process",
            () -> process.isJava() ? Checks.examine(process, deadline, Checks.ALL) : null),
        Doctor.LAST_MILLIS);
  }

  private static @Nullable Report result(TargetProcess process, Future<@Nullable Report> examined) {
    String name = process.pid + " " + process.status("Name"); // its whole name is in its memory
    try {
      return Deadline.result(examined, Long.MAX_VALUE); // each has a limit of its own
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
