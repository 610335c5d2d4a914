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

/** Checks OpenTelemetry's process context (OTEP 4719) and thread context (OTEP 4947). */
final class ContextSection {
  private static final String SCHEMA = "threadlocal.schema_version";
  private static final String KEYS = "threadlocal.attribute_key_map";

  private final Subject subject;
  private final Report report;

  private ContextSection(Subject subject, Report report) {
    this.subject = subject;
    this.report = report;
  }

  /** Finds the pointers to thread contexts. Other sections need them as well. */
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
        // The check that needs this library reports it.
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
              + (subject.isServed() ? "; the plug-in reports: " + told : ""),
          "Profiles lack the resource of this process."
              + (subject.isServed()
                  ? " Set elastic.otel.universal.profiling.integration.process.context.enabled to"
                      + " true, and add the OTLP exporter to the application."
                  : ""));
      return;
    }
    boolean isOnlyOne = found.size() == 1;
    if (!isOnlyOne || told.contains("another")) {
      report.warning(
          "context.mapped",
          isOnlyOne
              ? found.get(0).path()
                  + " belongs to another library: the plug-in does not publish one"
              : found.size() + " process contexts: another library also publishes one",
          "Readers use only one: disable it in one of the two, or they may miss thread contexts.");
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
          "Readers reject it: fix the library that publishes it.");
    }
  }

  private void keys(Map<String, Object> attributes) {
    Object schema = attributes.get(SCHEMA);
    Object keys = attributes.get(KEYS);
    if (schema == null && keys == null) {
      if (subject.context != null) {
        report.warning(
            "context.keys",
            "the process context does not announce thread contexts",
            "Without " + SCHEMA + ", readers of OTEP 4947 do not look for thread contexts.");
      }
    } else if (schema == null || !(keys == null || keys instanceof List)) {
      report.fault(
          "context.keys",
          SCHEMA + " is " + schema + ", " + KEYS + " is " + keys,
          "Readers reject all thread contexts of the process: its writer must publish both.");
    } else {
      report.ok("context.keys", schema + ", keys " + (keys == null ? "[]" : keys));
    }
  }

  private void threadContext(List<Mapping> libraries) {
    if (libraries.isEmpty() && subject.hiddenCode != null) {
      report.couldNotLook(
          "thread-context.library",
          subject.hiddenCode.path() + " and other files cannot be opened",
          subject.rightsToRead());
      return;
    }
    if (libraries.isEmpty()) {
      report.ok(
          "thread-context.library",
          "none: readers of OTEP 4947 see no traces; readers of Elastic's protocol may");
      return;
    }
    Mapping library = libraries.get(0);
    String seen = library.path();
    if (libraries.size() > 1) {
      report.warning(
          "thread-context.library",
          libraries.size() + " libraries define " + Subject.CONTEXT_SYMBOL,
          "Readers use one of them: let only one library publish thread contexts.");
    } else if (subject.libraries.stream().anyMatch(other -> other.path().equals(library.path()))) {
      report.fault(
          "thread-context.library",
          seen + " defines the symbols of both protocols",
          "The public profiler needs a separate library for each protocol.");
    } else if (library.isDeleted()) {
      report.warning(
          "thread-context.library",
          seen + " was deleted",
          "Datadog's agent can no longer read it: exclude otel-profiling-* from the cleanup of"
              + " temporary files.");
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
