/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static io.otelprofiling.doctor.internal.check.Words.rule;
import static io.otelprofiling.doctor.internal.reader.FoundProcessStorage.bytes;

import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The rules of the protocol, for any process that implements it, as checks of the same evidence.
 */
public final class Conformance {
  private static final long LIMIT_MILLIS = 60_000;
  private static final int LOOKS = 100;

  private static Check<String> name(String id, Function<FoundProcessStorage, String> name) {
    return Words.<String>rule(id, s -> s.storage.map(name))
        .text(text -> bytes(text) + " bytes")
        .rule(text -> bytes(text) <= FoundProcessStorage.MAX_NAME && text.indexOf('\0') < 0);
  }

  /** A rule for the records of threads, about one reading of running threads. */
  private static Check<LiveThreads> threads(String id, Evidence<LiveThreads> seen) {
    return Words.<LiveThreads>rule(id, s -> seen)
        .text(looks -> looks.problem(id))
        .row(looks -> looks.row(id));
  }

  /** Returns the rules, of which most conclude from what a check of the report reads. */
  private static List<Check<?>> rules(Subject subject) {
    Evidence<LiveThreads> seen =
        subject.read("the threads", LIMIT_MILLIS, () -> LiveThreads.of(subject, LOOKS));
    List<Check<?>> own = new ArrayList<>(new MessageRules(subject).rules());
    own.add(
        rule("storage.minor-version", s -> s.storage.map(data -> data.version))
            .rule(version -> version >= 1));
    own.add(name("storage.service-name", data -> data.serviceName));
    own.add(name("storage.environment", data -> data.environment));
    for (String id : LiveThreads.RULES) {
      own.add(threads(id, seen));
    }
    return Words.rules(own);
  }

  /**
   * Examines a process. Sends messages to its socket that do not change anything in it.
   *
   * @throws IOException if its memory cannot be read
   */
  public static Report of(TargetProcess process) throws IOException {
    boolean isHalted = !process.halt().isEmpty();
    Report report = new Report(process.pid, process.name());
    try (Subject subject = new Subject(process, new Deadline(LIMIT_MILLIS))) {
      subject.memory.read();
      for (Check<?> rule : rules(subject)) {
        if (!isHalted) {
          rule.examine(subject, report, LIMIT_MILLIS);
        }
        isHalted |= !process.halt().isEmpty();
      }
    }
    return isHalted
        ? new Report(
            "The process is stopped or frozen, so it breaks rules that it keeps while it runs: send"
                + " it SIGCONT, or thaw its cgroup.")
        : report;
  }

  private Conformance() {}
}
