/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.Right;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import io.otelprofiling.doctor.internal.reader.TlsVariable;
import io.otelprofiling.doctor.internal.report.Report;
import io.otelprofiling.doctor.internal.report.Verdict;
import java.io.IOException;

/** Checks the library and the process data of Elastic's protocol as the public profiler does. */
final class LibrarySection {
  private final Subject subject;
  private final Report report;

  private LibrarySection(Subject subject, Report report) {
    this.subject = subject;
    this.report = report;
  }

  static void examine(Subject subject, Report report) throws IOException {
    report.section("Library and process data (Elastic's protocol)");
    new LibrarySection(subject, report).examine();
  }

  /** Finds the pointer to Elastic's thread records, if any. */
  static void find(Subject subject) throws IOException {
    if (!subject.libraries.isEmpty()) {
      Mapping library = subject.libraries.get(0);
      try (ElfFile elf = subject.elf(library)) {
        ElfFile.Relocation relocation = elf == null ? null : elf.relocation(Subject.TLS_SYMBOL);
        if (elf != null && relocation != null) {
          subject.elastic = subject.variable(relocation, elf.loadBias(library));
        }
      }
    }
  }

  private void examine() throws IOException {
    if (subject.libraries.isEmpty()) {
      boolean isWritten = !subject.contextLibraries.isEmpty();
      // If the plug-in does not run, another check reports the reason as the fault.
      report.add(
          isWritten || !subject.isServed() ? Verdict.WARNING : Verdict.FAULT,
          "library.mapped",
          "no mapped file is named elastic-jvmti-linux-*.so",
          isWritten
              ? "Readers of OTEP 4947 find this process; readers of Elastic's protocol do not."
              : "The sections Plug-in and Reported by the plug-in show why it was not loaded.");
      return;
    }
    Mapping library = subject.libraries.get(0);
    report.ok("library.mapped", library.path());
    copies();
    file(library);
    try (ElfFile elf = subject.elf(library)) {
      if (elf == null) {
        subject.isLibraryHidden = true;
        report.couldNotLook(
            "library.symbols",
            library.isDeleted()
                ? "the file was deleted, and its mapping cannot be opened"
                : "the file cannot be opened",
            Right.remedy(subject.process, Right.TRACE, Right.READ_FILES, Right.OPEN_DELETED_FILES));
        return;
      }
      symbols(library, elf);
    }
  }

  private void copies() {
    long paths = subject.libraries.stream().map(Mapping::path).distinct().count();
    if (paths > 1) {
      report.fault(
          "library.copies",
          paths + " different libraries are mapped, by several class loaders or agents",
          "Keep one of them: a profiler reads only the first, "
              + subject.libraries.get(0).path()
              + ".");
    }
  }

  private void file(Mapping library) {
    if (library.isMemfd()) {
      report.fault(
          "library.file",
          "the library is in memory without a file",
          "Load it from a file: profilers skip mappings without one.");
    } else if (library.isDeleted()) {
      report.warning(
          "library.file",
          "the file was deleted after it was loaded",
          "The public profiler can still read it; Datadog's agent and debuggers cannot. Exclude"
              + " otel-profiling-* from the cleanup of temporary files.");
    } else {
      report.ok("library.file", "still on disk");
    }
  }

  private void symbols(Mapping library, ElfFile elf) throws IOException {
    ElfFile.Symbol storage = elf.symbol(Subject.STORAGE_SYMBOL);
    ElfFile.Relocation relocation = elf.relocation(Subject.TLS_SYMBOL);
    if (storage == null || storage.size != 8) {
      report.fault(
          "library.symbols",
          (storage == null ? "not exported: " : "not 8 bytes: ") + Subject.STORAGE_SYMBOL,
          "Use the library as published, with its dynamic symbols.");
    } else if (relocation == null || relocation.kind != TlsVariable.Kind.DESCRIPTOR) {
      report.fault(
          "library.symbols",
          "no TLSDESC relocation names " + Subject.TLS_SYMBOL,
          "Build the library with -mtls-dialect=gnu2 (x86-64) or desc (arm64): the profiler looks"
              + " for this relocation.");
    } else {
      report.ok("library.symbols", "both, and a TLSDESC relocation");
    }
    if (subject.memory == null) {
      report.couldNotLook("library.tls", Subject.NO_MEMORY, subject.rightsToRead());
      report.couldNotLook("storage.set", Subject.NO_MEMORY, subject.rightsToRead());
      return;
    }
    long bias = elf.loadBias(library);
    if (relocation != null) {
      threadLocal(relocation, bias);
    }
    if (storage != null) {
      storage(storage.value + bias);
    }
  }

  private void threadLocal(ElfFile.Relocation relocation, long bias) {
    try {
      TlsVariable variable = subject.variable(relocation, bias);
      subject.elastic = variable;
      if (variable.isStatic) {
        report.ok("library.tls", variable.toString());
      } else {
        report.fault(
            "library.tls",
            variable
                + (subject.isMusl
                    ? ": musl does not offer static TLS to libraries that are loaded later"
                    : ": no static TLS was left when the library was loaded"),
            subject.isMusl
                ? "The public profiler reads wrong memory: use an image with glibc. OTEP 4947"
                    + " works."
                : "The public profiler reads wrong memory: start the process with"
                    + " GLIBC_TUNABLES=glibc.rtld.optional_static_tls=2048, or without the library"
                    + " that uses it up (LD_PRELOAD, other agents).");
      }
    } catch (IOException e) {
      report.fault("library.tls", String.valueOf(e.getMessage()), "Link the library with -z now.");
    }
  }

  private void storage(long address) throws IOException {
    long pointer = subject.memory().word(address);
    if (pointer == 0) {
      report.fault(
          "storage.set",
          "the pointer to the process data is null",
          "The plug-in has stopped or did not start. Restart the process: a profiler that has read"
              + " null does not look again.");
      return;
    }
    try {
      FoundProcessStorage storage = new FoundProcessStorage(subject.memory(), pointer);
      subject.storage = storage;
      report.ok(
          "storage.set",
          "service "
              + storage.serviceName
              + (storage.environment.isEmpty() ? "" : ", environment " + storage.environment)
              + ", socket "
              + storage.socketPath);
      layout(storage);
    } catch (IOException e) {
      report.fault(
          "storage.layout",
          String.valueOf(e.getMessage()),
          "The library breaks the protocol: report this to its project.");
    }
  }

  private void layout(FoundProcessStorage storage) {
    String problem = "";
    if (storage.version < 1) {
      problem = "layout minor version 0";
    } else if (FoundProcessStorage.bytes(storage.serviceName) > FoundProcessStorage.MAX_NAME) {
      problem = "the service name has " + FoundProcessStorage.bytes(storage.serviceName) + " bytes";
    } else if (FoundProcessStorage.bytes(storage.environment) > FoundProcessStorage.MAX_NAME) {
      problem = "the environment has " + FoundProcessStorage.bytes(storage.environment) + " bytes";
    } else if (FoundProcessStorage.bytes(storage.socketPath)
        > FoundProcessStorage.MAX_SOCKET_PATH) {
      problem = "the socket path has " + FoundProcessStorage.bytes(storage.socketPath) + " bytes";
    }
    if (problem.isEmpty()) {
      report.ok("storage.layout", "version " + storage.version + ", all lengths within limits");
    } else {
      report.fault(
          "storage.layout",
          problem,
          "The public profiler accepts names of at most 128 bytes and socket paths of 89 bytes: use"
              + " shorter ones.");
    }
  }
}
