/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.command;

import io.otelprofiling.doctor.internal.check.Deadline;
import io.otelprofiling.doctor.internal.check.LiveThreads;
import io.otelprofiling.doctor.internal.check.Subject;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.report.Report;
import java.io.IOException;
import java.io.PrintStream;

/**
 * Prints once a second what each thread shows and how many messages have arrived: in place on a
 * terminal, line by line otherwise. Ends when the process ends.
 */
final class Watch {
  private static final int MAX_FAILURES = 5;
  private static final int MAX_MILLIS = 10_000;

  private final TargetProcess process;
  private final PrintStream out = System.out;
  private final boolean isTerminal =
      new TargetProcess(TargetProcess.self()).link("fd/1").startsWith("/dev/");

  Watch(TargetProcess process) {
    this.process = process;
  }

  int run() throws IOException {
    long before = -1;
    long beforeNanos = 0;
    int failures = MAX_FAILURES; // if the first look fails, the rights are missing
    while (isAlive()) {
      try (Subject subject = new Subject(process, new Deadline(MAX_MILLIS))) {
        subject.memory(); // otherwise the rights are missing
        long messages = subject.messages();
        long now = System.nanoTime();
        LiveThreads threads = new LiveThreads(subject);
        StringBuilder lines = new StringBuilder();
        int tracing = 0;
        for (LiveThreads.Shown thread : threads.found) {
          if (thread.showsTrace()) {
            tracing++;
            lines.append(
                String.format(
                    "  %7d %-16s %s%n",
                    thread.tid,
                    Report.inOneLine(process.threadName(thread.tid)),
                    thread.elastic != null ? thread.elastic : thread.context));
          }
        }
        lines.append(
            String.format(
                "%tT  %d threads, %d show a trace, %d changing, %s%n",
                System.currentTimeMillis(),
                threads.threads,
                tracing,
                threads.changing,
                messages < 0
                    ? "number of messages unknown"
                    : before < 0
                        ? messages + " messages"
                        : Math.round((messages - before) * 1e9 / (now - beforeNanos))
                            + " messages/s"));
        out.print(isTerminal ? "\033[H\033[2J" : "");
        out.print(lines);
        if (out.checkError()) { // the reader of a pipe is gone
          return Doctor.FINE;
        }
        before = messages;
        beforeNanos = now;
        failures = 0;
      } catch (IOException e) {
        // A process that ends loses its memory before it disappears.
        if (++failures > MAX_FAILURES) {
          throw e;
        }
      }
      try {
        Thread.sleep(1000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Doctor.FINE;
      }
    }
    out.println("Process " + process.pid + " has ended.");
    return Doctor.FINE;
  }

  /** A process that has ended exists as a zombie until its parent has waited for it. */
  private boolean isAlive() {
    return !new TargetProcess(process.pid).startTime().isEmpty();
  }
}
