/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.ProcFiles;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import io.otelprofiling.doctor.internal.reader.FoundProcessContext;
import io.otelprofiling.doctor.internal.reader.TlsVariable;
import io.otelprofiling.doctor.internal.report.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** OpenTelemetry's process context (OTEP 4719) and thread context (OTEP 4947). */
final class ContextSection {
  private static final String SCHEMA = "threadlocal.schema_version";
  private static final String KEYS = "threadlocal.attribute_key_map";

  private final Subject subject;
  private final Report report;

  private ContextSection(Subject subject, Report report) {
    this.subject = subject;
    this.report = report;
  }

  /** Finds the pointers to thread contexts, which other sections want to know of as well. */
  static void findLibraries(Subject subject) {
    for (Mapping mapping : subject.code()) {
      try (ElfFile elf = subject.elf(mapping)) {
        if (elf == null
            && !mapping.isDeleted()
            && ProcFiles.isClosed(subject.process.inRoot(mapping.path()))) {
          subject.hiddenCode = mapping;
        }
        ElfFile.Symbol symbol = elf == null ? null : elf.symbol(Subject.CONTEXT_SYMBOL);
        ElfFile.Relocation relocation =
            elf == null || symbol == null ? null : elf.relocation(Subject.CONTEXT_SYMBOL);
        if (elf == null || symbol == null || symbol.size != 8 || relocation == null) {
          continue;
        }
        subject.contextLibraries.add(mapping);
        if (subject.context == null && subject.memory != null) {
          subject.context = subject.variable(relocation, elf.loadBias(mapping));
        }
      } catch (IOException | RuntimeException e) {
        // Said by the check that misses it.
      }
    }
  }

  static void examine(Subject subject, Report report) {
    report.section("Process context and thread context (OTEP 4719, OTEP 4947)");
    ContextSection section = new ContextSection(subject, report);
    section.processContext();
    section.threadContext(subject.contextLibraries);
  }

  private void processContext() {
    List<Mapping> found = new ArrayList<>();
    for (Mapping mapping : subject.mappings) {
      if (FoundProcessContext.isIn(mapping)) {
        found.add(mapping);
      }
    }
    String told = subject.inside.getOrDefault("process.context", "");
    if (found.isEmpty()) {
      report.warning(
          "context.mapped",
          "no mapping is named OTEL_CTX"
              + (subject.isServed() ? "; the plug-in says: " + told : ""),
          "Profiles get no resource of this process"
              + (subject.isServed()
                  ? ": elastic.otel.universal.profiling.integration.process.context.enabled has to"
                      + " be true, and the OTLP exporter there."
                  : "."));
      return;
    }
    boolean isOnlyOne = found.size() == 1;
    if (!isOnlyOne || told.contains("another")) {
      report.warning(
          "context.mapped",
          isOnlyOne
              ? found.get(0).path() + " is that of another library: the plug-in publishes none"
              : found.size() + " process contexts: another library publishes one, too",
          "Readers take one: switch it off in one of the two, or thread contexts are not found.");
    } else {
      report.ok("context.mapped", found.get(0).path());
    }
    if (subject.memory == null) {
      report.couldNotLook("context.decodes", Subject.NO_MEMORY, subject.rightsToRead());
      return;
    }
    try {
      FoundProcessContext context = new FoundProcessContext(subject.memory(), found.get(0));
      report.ok(
          "context.decodes", context.size + " bytes, version 2, resource " + context.resource());
      keys(context.attributes());
    } catch (IOException e) {
      report.fault(
          "context.decodes",
          String.valueOf(e.getMessage()),
          "Readers refuse it: its writer has to change.");
    }
  }

  private void keys(Map<String, Object> attributes) {
    Object schema = attributes.get(SCHEMA);
    Object keys = attributes.get(KEYS);
    if (schema == null && keys == null) {
      if (subject.context != null) {
        report.warning(
            "context.keys",
            "it does not announce thread contexts",
            "Readers of OTEP 4947 do not look for thread contexts without " + SCHEMA + ".");
      }
    } else if (schema == null || !(keys == null || keys instanceof List)) {
      report.fault(
          "context.keys",
          SCHEMA + " is " + schema + ", " + KEYS + " is " + keys,
          "Readers refuse all thread contexts of the process: the writer has to name both.");
    } else {
      report.ok("context.keys", schema + ", keys " + (keys == null ? "[]" : keys));
    }
  }

  private void threadContext(List<Mapping> libraries) {
    if (libraries.isEmpty() && subject.hiddenCode != null) {
      report.couldNotLook(
          "thread-context.library",
          subject.hiddenCode.path() + " and others may not be opened",
          subject.rightsToRead());
      return;
    }
    if (libraries.isEmpty()) {
      report.ok(
          "thread-context.library",
          "none: readers of OTEP 4947 see no traces, those of Elastic's protocol may");
      return;
    }
    Mapping library = libraries.get(0);
    String seen = library.path();
    if (libraries.size() > 1) {
      report.warning(
          "thread-context.library",
          libraries.size() + " libraries have " + Subject.CONTEXT_SYMBOL,
          "Readers take one of them: let only one publish thread contexts.");
    } else if (subject.libraries.stream().anyMatch(other -> other.path().equals(library.path()))) {
      report.fault(
          "thread-context.library",
          seen + " has the symbols of both protocols",
          "The public profiler needs them in files of their own.");
    } else if (library.isDeleted()) {
      report.warning(
          "thread-context.library",
          seen + " was deleted",
          "Datadog's agent cannot read it any more: exclude otel-profiling-* from cleaning.");
    } else {
      report.ok("thread-context.library", seen);
    }
    TlsVariable variable = subject.context;
    if (variable != null) {
      report.ok("thread-context.tls", variable.toString());
    } else if (subject.memory == null) {
      report.couldNotLook("thread-context.tls", Subject.NO_MEMORY, subject.rightsToRead());
    } else {
      report.fault(
          "thread-context.tls",
          Subject.CONTEXT_SYMBOL + " is not resolved",
          "Link the library with -z now.");
    }
  }
}
