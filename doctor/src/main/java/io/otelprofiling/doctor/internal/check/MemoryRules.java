/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static io.otelprofiling.doctor.internal.check.Words.check;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import io.otelprofiling.doctor.internal.reader.FoundProcessContext;
import io.otelprofiling.doctor.internal.reader.StatusBlock;
import java.io.IOException;
import java.util.List;

/** The checks of what profilers find in the memory of a process. */
final class MemoryRules {
  static final Section LIBRARY =
      new Section(
          "Library and process data (Elastic's protocol)",
          check("library.copies", MemoryRules::libraries)
              .text(found -> found.size() + "")
              .when("several", found -> found.size() > 1),
          check("library.file", s -> libraries(s).map(found -> found.get(0)))
              .text(Mapping::path)
              .when("memfd", Mapping::isMemfd)
              .when("deleted", Mapping::isDeleted),
          check("library.symbols", s -> s.library)
              .when("no-pointer", elf -> !elf.hasPointer(Subject.STORAGE_SYMBOL))
              .when("no-descriptor", elf -> !elf.hasDescriptor(Subject.TLS_SYMBOL)),
          check("library.tls", s -> s.elastic).when("dynamic", variable -> !variable.isStatic),
          check("storage.set", MemoryRules::pointer).when("null", pointer -> pointer == 0),
          check("storage.layout", s -> s.storage).when("excess", data -> !data.excess().isEmpty()));

  static final Section CONTEXTS =
      new Section(
          "Process context and thread context (OTEP 4719, OTEP 4947)",
          check("context.mapped", MemoryRules::processContexts)
              .text(found -> found.size() == 1 ? found.get(0).path() : found.size() + "")
              .when("several", found -> found.size() > 1)
              .when("none", List::isEmpty),
          check("context.decodes", s -> s.processContext),
          check("context.keys", MemoryRules::keys)
              .text(FoundProcessContext::keys)
              .when("rejected", FoundProcessContext::isRejected)
              .when("unannounced", context -> !context.isAnnounced()),
          check("thread-context.library", s -> s.contextLibraries)
              .text(found -> found.size() == 1 ? found.get(0).mapping.path() : found.size() + "")
              .when("none", List::isEmpty)
              .when("several", found -> found.size() > 1)
              .when("both", found -> Subject.isElastic(found.get(0).mapping))
              .when("deleted", found -> found.get(0).mapping.isDeleted()),
          check("thread-context.tls", s -> s.threadContext));

  static final Section THREADS =
      new Section(
          "Threads",
          check("threads.records", MemoryRules::threads)
              .when("problem", threads -> !threads.problem().isEmpty())
              .when("unfound", threads -> threads.found.isEmpty())
              .when("no-record", threads -> !threads.hasRecords()));

  static Evidence<List<Mapping>> libraries(Subject subject) {
    return subject.libraries.only(found -> !found.isEmpty(), "");
  }

  /** A pointer that is null is no fault of a plug-in that starts, or has stopped. */
  private static Evidence<Long> pointer(Subject subject) throws IOException {
    return subject.pointer.then(
        pointer -> pointer == 0 ? unlessOff(subject, pointer) : subject.pointer);
  }

  /** Returns the absence of something, which says nothing about a plug-in that is not on. */
  private static <T> Evidence<T> unlessOff(Subject subject, T absence) {
    Evidence<StatusBlock> status = subject.status;
    return status.isUnread()
        ? status.missing()
        : status.value == null || status.value.isRunning()
            ? Evidence.of(absence)
            : Evidence.none("none, as the plug-in is " + status.value.text("state"));
  }

  private static Evidence<List<Mapping>> processContexts(Subject subject) throws IOException {
    List<ElfFile> others = subject.contextLibraries.value;
    boolean isSilent = libraries(subject).value == null && others != null && others.isEmpty();
    return subject.processContexts.then(
        found ->
            !found.isEmpty()
                ? Evidence.of(found)
                : isSilent ? Evidence.none("") : unlessOff(subject, found));
  }

  /** Returns the context if it has something to say about thread contexts, or should have. */
  private static Evidence<FoundProcessContext> keys(Subject subject) {
    boolean hasThreads = subject.threadContext.value != null;
    return subject.processContext.only(found -> hasThreads || found.mentionsThreads(), "");
  }

  private static Evidence<LiveThreads> threads(Subject subject) throws IOException {
    boolean isKnown = subject.elastic.value != null || subject.threadContext.value != null;
    return isKnown
        ? Evidence.of(LiveThreads.seenTwice(subject))
        : subject.threadContext.isUnread()
            ? subject.threadContext.missing()
            : subject.elastic.missing();
  }

  private MemoryRules() {}
}
