/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.command;

import io.otelprofiling.doctor.internal.check.LiveThreads;
import io.otelprofiling.doctor.internal.check.Report;
import io.otelprofiling.doctor.internal.check.Subject;
import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.StatusBlock;
import java.io.IOException;

/**
 * Prints once a second what each thread shows and how many messages have arrived: in place on a
 * terminal, line by line otherwise. Ends when the process ends.
 */
final class Watch {
  private static final int MAX_FAILURES = 5;
  private static final int MAX_MILLIS = 10_000;
  private static final int PAUSE_MILLIS = 1_000;

  private final TargetProcess process;

  Watch(TargetProcess process) {
    this.process = process;
  }

  int run() throws IOException {
    boolean isTerminal = TargetProcess.self().link("fd/1").startsWith("/dev/");
    int failures = MAX_FAILURES; // if the first look fails, the rights are missing
    while (!process.hasEnded()) {
      try (Subject subject = new Subject(process, new Deadline(MAX_MILLIS))) {
        System.out.print((isTerminal ? "\033[H\033[2J" : "") + lines(subject));
        if (System.out.checkError()) { // the reader of a pipe is gone
          return Doctor.FINE;
        }
        failures = 0;
      } catch (IOException e) {
        // A process that ends loses its memory before it disappears.
        if (++failures > MAX_FAILURES) {
          throw e;
        }
      }
      new Deadline(2 * PAUSE_MILLIS).pause(PAUSE_MILLIS);
    }
    System.out.println("Process " + process.pid + " has ended.");
    return Doctor.FINE;
  }

  private String lines(Subject subject) throws IOException {
    StatusBlock status = subject.status.value;
    LiveThreads threads = new LiveThreads(subject);
    StringBuilder lines = new StringBuilder();
    for (LiveThreads.Shown thread : threads.found) {
      if (thread.showsTrace()) {
        String name = Report.inOneLine(process.threadName(thread.tid));
        Object record = thread.elastic != null ? thread.elastic : thread.context;
        lines.append(String.format("  %7d %-16s %s%n", thread.tid, name, record));
      }
    }
    return lines
        + String.format(
            "%tT  %d threads, %d show a trace, %s%n",
            System.currentTimeMillis(),
            threads.count(),
            threads.found.stream().filter(LiveThreads.Shown::showsTrace).count(),
            status == null
                ? "number of messages unknown"
                : status.number("messages.correlation") + " messages");
  }
}
