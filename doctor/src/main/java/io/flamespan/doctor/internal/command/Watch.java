/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.command;

import static java.util.Collections.emptyList;

import io.flamespan.doctor.internal.check.Evidence;
import io.flamespan.doctor.internal.check.LiveThreads;
import io.flamespan.doctor.internal.check.Report;
import io.flamespan.doctor.internal.check.Subject;
import io.flamespan.doctor.internal.check.Verdict;
import io.flamespan.doctor.internal.proc.Deadline;
import io.flamespan.doctor.internal.proc.FoundThreadRecord;
import io.flamespan.doctor.internal.proc.TargetProcess;
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
          return Verdict.OK.status;
        }
        failures = 0;
      } catch (IOException e) {
        if (++failures > MAX_FAILURES) { // a process that ends loses its memory first
          throw e;
        }
      }
      new Deadline(2 * PAUSE_MILLIS).pause(PAUSE_MILLIS);
    }
    System.out.println("Process " + process.pid + " has ended.");
    return Verdict.OK.status;
  }

  private String lines(Subject subject) throws IOException {
    subject.memory.read();
    Evidence<LiveThreads> threads = LiveThreads.of(subject, 1);
    StringBuilder lines = new StringBuilder();
    for (FoundThreadRecord record : threads.map(found -> found.records).orElse(emptyList())) {
      if (record.showsTrace()) {
        String name = Report.inOneLine(process.threadName(record.tid));
        lines.append(String.format("  %7d %-16s %s%n", record.tid, name, record));
      }
    }
    return lines
        + String.format(
            "%tT  %s, %s messages%n",
            System.currentTimeMillis(),
            threads.map(LiveThreads::toString).orElse(threads.reason),
            subject
                .status
                .map(status -> status.text("messages.correlation"))
                .orElse("an unknown number of"));
  }
}
