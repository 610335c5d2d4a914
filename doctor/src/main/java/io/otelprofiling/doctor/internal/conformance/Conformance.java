/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.conformance;

import static io.otelprofiling.doctor.internal.reader.FoundProcessStorage.bytes;

import io.otelprofiling.doctor.internal.check.Evidence;
import io.otelprofiling.doctor.internal.check.Subject;
import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import io.otelprofiling.doctor.internal.reader.TlsVariable;
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
      subject.memory.read();
      new Conformance(subject, report).check();
    }
    return report;
  }

  private void check() throws IOException {
    rules.section("Native memory");
    List<Mapping> libraries = subject.libraries.read();
    if (!rules.must(
        "memory.file-name",
        !libraries.isEmpty(),
        libraries.isEmpty() ? "no such file is mapped" : libraries.get(0).path(),
        "code of a file whose path matches .*/elastic-jvmti-linux-([\\w-]*)\\.so is mapped")) {
      return;
    }
    Mapping mapping = libraries.get(0);
    rules.must("memory.file", !mapping.isMemfd(), mapping.path(), "the library is a file");
    ElfFile library = subject.library.read();
    memory(library);
    rules.section("Process storage");
    String path = library.symbol(Subject.STORAGE_SYMBOL) == null ? "" : storage();
    ThreadRules.check(subject, rules);
    if (FoundProcessStorage.isValid(path)) {
      new MessageRules(subject, rules, path).check();
    }
  }

  private void memory(ElfFile library) throws IOException {
    boolean hasPointer = library.hasPointer(Subject.STORAGE_SYMBOL);
    rules.must(
        "memory.process-symbol",
        hasPointer,
        hasPointer ? "exported" : "not exported, or not of 8 bytes",
        Subject.STORAGE_SYMBOL + " is an exported global pointer");
    boolean hasDescriptor = library.hasDescriptor(Subject.TLS_SYMBOL);
    if (rules.must(
        "memory.tls-model",
        hasDescriptor,
        hasDescriptor ? "a TLSDESC relocation" : "no TLSDESC relocation",
        Subject.TLS_SYMBOL + " is compiled with the TLSDESC model")) {
      Evidence<TlsVariable> variable = subject.elastic;
      rules.must(
          "memory.static-tls",
          !variable.isBroken() && variable.read().isStatic,
          variable.isBroken() ? variable.reason : variable.read().toString(),
          "the descriptor is resolved to static TLS, which the public profiler assumes");
    }
  }

  /** Returns the path of the socket, or "" if it is not published. */
  private String storage() throws IOException {
    boolean isSet = subject.pointer.read() != 0;
    if (!rules.must("storage.published", isSet, isSet ? "set" : "null", "the pointer is set")) {
      return "";
    }
    Evidence<FoundProcessStorage> decoded = subject.storage;
    if (!rules.must(
        "storage.layout",
        !decoded.isBroken(),
        decoded.isBroken() ? decoded.reason : "can be decoded",
        "a uint16 and three UTF-8 strings, each preceded by its length")) {
      return "";
    }
    FoundProcessStorage storage = decoded.read();
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
        FoundProcessStorage.isValid(path) && bytes(path) <= FoundProcessStorage.MAX_SOCKET_PATH,
        path,
        "an absolute path without .. of at most 89 bytes");
    return path;
  }

  private void name(String id, String name) {
    boolean isShort = bytes(name) <= FoundProcessStorage.MAX_NAME;
    rules.must(
        id,
        isShort && name.indexOf('\0') < 0,
        bytes(name) + " bytes",
        "at most 128 bytes, without NUL");
  }
}
