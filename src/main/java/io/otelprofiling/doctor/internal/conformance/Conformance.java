/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.conformance;

import io.otelprofiling.doctor.internal.check.Subject;
import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import io.otelprofiling.doctor.internal.reader.TlsVariable;
import io.otelprofiling.doctor.internal.report.Report;
import java.io.IOException;

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
  public static Report of(TargetProcess process) throws IOException {
    Report report = new Report(process.pid, process.name());
    try (Subject subject = new Subject(process)) {
      subject.memory();
      new Conformance(subject, report).check();
    }
    return report;
  }

  private void check() throws IOException {
    rules.section("Native memory");
    if (!rules.must(
        "memory.file-name",
        !subject.libraries.isEmpty(),
        subject.libraries.isEmpty() ? "no such file is mapped" : subject.libraries.get(0).path(),
        "code of a file whose path matches .*/elastic-jvmti-linux-([\\w-]*)\\.so is mapped")) {
      return;
    }
    Mapping library = subject.libraries.get(0);
    rules.must("memory.file", !library.isMemfd(), library.path(), "the library is a file");
    try (ElfFile elf = subject.elf(library)) {
      if (elf == null) {
        throw new IOException(library.path() + " cannot be opened");
      }
      memory(library, elf);
    }
    ThreadRules.check(subject, rules);
    FoundProcessStorage storage = subject.storage;
    if (storage != null && isPath(storage.socketPath)) {
      new MessageRules(subject, rules, storage.socketPath).check();
    }
  }

  private void memory(Mapping library, ElfFile elf) throws IOException {
    ElfFile.Symbol symbol = elf.symbol(Subject.STORAGE_SYMBOL);
    ElfFile.Relocation relocation = elf.relocation(Subject.TLS_SYMBOL);
    rules.must(
        "memory.process-symbol",
        symbol != null && symbol.size == 8 && !symbol.isThreadLocal,
        symbol == null ? "not exported" : symbol.size + " bytes",
        Subject.STORAGE_SYMBOL + " is an exported global pointer");
    rules.must(
        "memory.tls-model",
        relocation != null && relocation.kind == TlsVariable.Kind.DESCRIPTOR,
        relocation == null ? "no relocation" : "relocation " + relocation.kind,
        Subject.TLS_SYMBOL + " is compiled with the TLSDESC model");
    long bias = elf.loadBias(library);
    if (relocation != null) {
      tls(relocation, bias);
    }
    rules.section("Process storage");
    if (symbol != null) {
      long pointer = subject.memory().word(symbol.value + bias);
      if (rules.must(
          "storage.published", pointer != 0, pointer == 0 ? "null" : "set", "the pointer is set")) {
        storage(pointer);
      }
    }
  }

  private void tls(ElfFile.Relocation relocation, long bias) {
    String seen;
    try {
      subject.elastic = subject.variable(relocation, bias);
      seen = subject.elastic.toString();
    } catch (IOException e) {
      seen = String.valueOf(e.getMessage());
    }
    if (relocation.kind == TlsVariable.Kind.DESCRIPTOR) {
      rules.must(
          "memory.static-tls",
          subject.elastic != null && subject.elastic.isStatic,
          seen,
          "the descriptor is resolved to static TLS, which the public profiler assumes");
    }
  }

  private void storage(long pointer) {
    FoundProcessStorage storage;
    try {
      storage = new FoundProcessStorage(subject.memory(), pointer);
    } catch (IOException e) {
      rules.must(
          "storage.layout",
          false,
          String.valueOf(e.getMessage()),
          "a uint16 and three UTF-8 strings, each preceded by its length");
      return;
    }
    subject.storage = storage;
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
        isPath(path) && FoundProcessStorage.bytes(path) <= FoundProcessStorage.MAX_SOCKET_PATH,
        path,
        "an absolute path without .. of at most 89 bytes");
  }

  private void name(String id, String name) {
    rules.must(
        id,
        FoundProcessStorage.bytes(name) <= FoundProcessStorage.MAX_NAME && name.indexOf('\0') < 0,
        FoundProcessStorage.bytes(name) + " bytes",
        "at most 128 bytes, without NUL");
  }

  private static boolean isPath(String path) {
    return path.startsWith("/") && path.indexOf('\0') < 0 && !path.contains("/../");
  }
}
