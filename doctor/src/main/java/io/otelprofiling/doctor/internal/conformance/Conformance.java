/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.conformance;

import io.otelprofiling.doctor.internal.check.Deadline;
import io.otelprofiling.doctor.internal.check.Decoded;
import io.otelprofiling.doctor.internal.check.Library;
import io.otelprofiling.doctor.internal.check.SocketFacts;
import io.otelprofiling.doctor.internal.check.Subject;
import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import io.otelprofiling.doctor.internal.report.Report;
import java.io.IOException;
import java.util.List;

/**
 * Checks the rules of "Universal profiling integration" for a process, in the order of that
 * document, and the limits of the public profiler where they are narrower.
 */
public final class Conformance {
  private final Subject subject;
  private final Report rules;

  private Conformance(Subject subject, Report rules) {
    this.subject = subject;
    this.rules = rules;
  }

  /**
   * Examines a process. Sends messages to its socket that do not change anything in it.
   *
   * @throws IOException if its memory cannot be read
   */
  public static Report of(TargetProcess process, Deadline deadline) throws IOException {
    Report report = new Report(process.pid, process.name());
    try (Subject subject = new Subject(process, deadline)) {
      subject.memory();
      new Conformance(subject, report).check();
    }
    return report;
  }

  private void check() throws IOException {
    rules.section("Native memory");
    List<Mapping> libraries = subject.libraries();
    if (!rules.must(
        "memory.file-name",
        !libraries.isEmpty(),
        libraries.isEmpty() ? "no such file is mapped" : libraries.get(0).path(),
        "code of a file whose path matches .*/elastic-jvmti-linux-([\\w-]*)\\.so is mapped")) {
      return;
    }
    Mapping mapping = libraries.get(0);
    rules.must("memory.file", !mapping.isMemfd(), mapping.path(), "the library is a file");
    Library library = subject.library();
    memory(library);
    rules.section("Process storage");
    String path = library.storage == null ? "" : storage();
    ThreadRules.check(subject, rules);
    if (SocketFacts.isValid(path)) {
      new MessageRules(subject, rules, path).check();
    }
  }

  private void memory(Library library) {
    rules.must(
        "memory.process-symbol",
        library.hasPointer(),
        library.storage == null ? "not exported" : library.storage.size + " bytes",
        Subject.STORAGE_SYMBOL + " is an exported global pointer");
    rules.must(
        "memory.tls-model",
        library.hasDescriptor(),
        library.relocation == null ? "no relocation" : "relocation " + library.relocation.kind,
        Subject.TLS_SYMBOL + " is compiled with the TLSDESC model");
    if (library.hasDescriptor()) {
      rules.must(
          "memory.static-tls",
          subject.isElasticStatic(),
          subject.elasticText(),
          "the descriptor is resolved to static TLS, which the public profiler assumes");
    }
  }

  /** Returns the path of the socket, or "" if it is not published. */
  private String storage() throws IOException {
    boolean isSet = subject.pointer() != 0;
    if (!rules.must("storage.published", isSet, isSet ? "set" : "null", "the pointer is set")) {
      return "";
    }
    Decoded decoded = subject.decoded();
    FoundProcessStorage storage = decoded.storage;
    if (storage == null) {
      rules.must(
          "storage.layout",
          false,
          decoded.problem,
          "a uint16 and three UTF-8 strings, each preceded by its length");
      return "";
    }
    rules.must("storage.layout", true, "can be decoded", "a uint16 and three strings");
    rules.must(
        "storage.minor-version",
        storage.version >= 1,
        Integer.toString(storage.version),
        "layout-minor-version is 1 or later");
    name("storage.service-name", storage.serviceName);
    name("storage.environment", storage.environment);
    String path = storage.socketPath;
    rules.must(
        "storage.socket-path",
        SocketFacts.isValid(path)
            && FoundProcessStorage.bytes(path) <= FoundProcessStorage.MAX_SOCKET_PATH,
        path,
        "an absolute path without .. of at most 89 bytes");
    return path;
  }

  private void name(String id, String name) {
    rules.must(
        id,
        FoundProcessStorage.bytes(name) <= FoundProcessStorage.MAX_NAME && name.indexOf('\0') < 0,
        FoundProcessStorage.bytes(name) + " bytes",
        "at most 128 bytes, without NUL");
  }
}
