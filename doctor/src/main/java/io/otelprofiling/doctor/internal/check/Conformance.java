/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static io.otelprofiling.doctor.internal.check.Check.ELSE;
import static io.otelprofiling.doctor.internal.check.Words.rule;
import static io.otelprofiling.doctor.internal.reader.FoundProcessStorage.bytes;
import static java.util.stream.Collectors.toList;

import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.ElfImage;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The rules of the protocol, for any process that implements it, as checks of the same evidence.
 */
public final class Conformance {
  private static final long LIMIT_MILLIS = 60_000;
  private static final int LOOKS = 100;

  private static final List<Check<?>> MEMORY =
      Arrays.asList(
          rule("memory.file-name", s -> s.libraries)
              .text(found -> found.isEmpty() ? "no such file is mapped" : found.get(0).path())
              .rule(found -> !found.isEmpty()),
          rule("memory.file", s -> Checks.libraries(s).map(found -> found.get(0)))
              .text(Mapping::path)
              .rule(library -> !library.isMemfd()),
          rule("memory.process-symbol", s -> s.library)
              .row(elf -> elf.hasPointer(Subject.STORAGE_SYMBOL) ? ELSE : "missing"),
          rule("memory.tls-model", s -> s.library)
              .row(elf -> hasDescriptor(elf) ? ELSE : "missing"),
          rule(
                  "memory.static-tls",
                  s -> s.library.only(Conformance::hasDescriptor, "").then(elf -> s.elastic))
              .rule(variable -> variable.isStatic),
          rule("storage.published", s -> s.pointer),
          rule("storage.layout", s -> s.storage),
          rule("storage.minor-version", s -> s.storage.map(data -> data.version))
              .rule(version -> version >= 1),
          name("storage.service-name", data -> data.serviceName),
          name("storage.environment", data -> data.environment),
          rule("storage.socket-path", s -> s.socket.path)
              .rule(
                  path ->
                      FoundProcessStorage.isValid(path)
                          && bytes(path) <= FoundProcessStorage.MAX_SOCKET_PATH));

  private static boolean hasDescriptor(ElfImage library) {
    return library.descriptor(Subject.TLS_SYMBOL) != null;
  }

  private static Check<String> name(String id, Function<FoundProcessStorage, String> name) {
    return Words.<String>rule(id, s -> s.storage.map(name))
        .text(text -> bytes(text) + " bytes")
        .rule(text -> bytes(text) <= FoundProcessStorage.MAX_NAME && text.indexOf('\0') < 0);
  }

  /** The rules for the records of threads, about one reading of running threads. */
  private static List<Check<LiveThreads>> threads(Subject subject) {
    Evidence<LiveThreads> seen =
        subject.read("the threads", LIMIT_MILLIS, () -> LiveThreads.of(subject, LOOKS));
    return Stream.of(
            "thread.records",
            LiveThreads.LAYOUT,
            "thread.own-record",
            "thread.valid-again",
            "thread.consistent")
        .map(
            id ->
                Words.<LiveThreads>rule(id, s -> seen.only(looks -> looks.knows(id), ""))
                    .text(looks -> looks.problem(id))
                    .row(looks -> looks.row(id)))
        .collect(toList());
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
      List<Check<?>> rules = new ArrayList<>(MEMORY);
      rules.addAll(threads(subject));
      rules.addAll(new MessageRules(subject).rules());
      subject.memory.read();
      for (Check<?> rule : rules) {
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
