/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static io.otelprofiling.doctor.internal.check.Words.rule;
import static io.otelprofiling.doctor.internal.reader.FoundProcessStorage.bytes;

import io.otelprofiling.doctor.internal.proc.CouldNotLookException;
import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import java.io.IOException;
import java.util.function.Function;

/**
 * The rules of the protocol, for any process that implements it, as checks of the same evidence.
 */
public final class Conformance {
  private static final long LIMIT_MILLIS = 60_000;

  private static final Section MEMORY =
      new Section(
          "Native memory",
          rule("memory.file-name", s -> s.libraries)
              .text(found -> found.isEmpty() ? "no such file is mapped" : found.get(0).path())
              .rule(found -> !found.isEmpty()),
          rule("memory.file", s -> Checks.libraries(s).map(found -> found.get(0)))
              .text(Mapping::path)
              .rule(library -> !library.isMemfd()),
          rule("memory.process-symbol", s -> s.library)
              .when("missing", elf -> !elf.hasPointer(Subject.STORAGE_SYMBOL)),
          rule("memory.tls-model", s -> s.library).when("missing", elf -> !hasDescriptor(elf)),
          rule(
                  "memory.static-tls",
                  s -> s.library.only(Conformance::hasDescriptor, "").then(elf -> s.elastic))
              .rule(variable -> variable.isStatic));

  private static final Section STORAGE =
      new Section(
          "Process storage",
          rule("storage.published", s -> s.pointer).when("null", pointer -> pointer == 0),
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

  private static boolean hasDescriptor(ElfFile library) {
    return library.hasDescriptor(Subject.TLS_SYMBOL);
  }

  private static Check<String> name(String id, Function<FoundProcessStorage, String> name) {
    return Words.<String>rule(id, s -> s.storage.map(name::apply))
        .text(text -> bytes(text) + " bytes")
        .rule(text -> bytes(text) <= FoundProcessStorage.MAX_NAME && text.indexOf('\0') < 0);
  }

  /**
   * Examines a process. Sends messages to its socket that do not change anything in it.
   *
   * @throws IOException if its memory cannot be read
   */
  public static Report of(TargetProcess process) throws IOException {
    checkRuns(process);
    Report report = new Report(process.pid, process.name());
    try (Subject subject = new Subject(process, new Deadline(LIMIT_MILLIS))) {
      process.checkHasNotEnded();
      subject.memory.read();
      MEMORY.examine(subject, report, LIMIT_MILLIS);
      STORAGE.examine(subject, report, LIMIT_MILLIS);
      new ThreadRules().section().examine(subject, report, LIMIT_MILLIS);
      new MessageRules(subject).section().examine(subject, report, LIMIT_MILLIS);
    }
    checkRuns(process);
    return report;
  }

  private static void checkRuns(TargetProcess process) throws CouldNotLookException {
    if (!process.halt().isEmpty()) {
      throw new CouldNotLookException(
          "The process is stopped or frozen, so it breaks rules that it keeps while it runs: send"
              + " it SIGCONT, or thaw its cgroup.");
    }
  }

  private Conformance() {}
}
