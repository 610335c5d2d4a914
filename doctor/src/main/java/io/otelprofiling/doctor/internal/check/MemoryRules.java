/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import io.otelprofiling.doctor.internal.reader.FoundProcessContext;
import io.otelprofiling.doctor.internal.reader.StatusBlock;
import java.io.IOException;
import java.util.List;

/** The checks of what profilers find in the memory of a process. */
final class MemoryRules {
  private static final String EXCLUDE =
      "Exclude otel-profiling-* from the cleanup of temporary files.";
  private static final String ONE_CONTEXT =
      "Readers use only one: disable it in one of the two, or they may miss thread contexts.";

  static final Section LIBRARY =
      new Section(
          "Library and process data (Elastic's protocol)",
          new Check<>(
                  "library.copies",
                  "the files with its name",
                  MemoryRules::libraries,
                  found -> found.size() + "")
              .fault(
                  found -> found.size() > 1,
                  "%s different libraries are mapped",
                  "Several class loaders or agents have one, and a profiler reads only the first:"
                      + " keep one of them.")
              .ok("one"),
          new Check<>(
                  "library.file",
                  "the list of mappings",
                  s -> libraries(s).map(found -> found.get(0)),
                  Mapping::path)
              .fault(
                  Mapping::isMemfd,
                  "the library is in memory without a file: %s",
                  "Load it from a file: profilers skip mappings without one.")
              .warning(
                  Mapping::isDeleted,
                  "the file was deleted after it was loaded: %s",
                  "The public profiler can still read it; Datadog's agent and debuggers cannot. "
                      + EXCLUDE)
              .ok("still on disk"),
          new Check<>("library.symbols", "the symbols of its file", s -> s.library)
              .fault(
                  elf -> !elf.hasPointer(Subject.STORAGE_SYMBOL),
                  "not exported, or not of 8 bytes: " + Subject.STORAGE_SYMBOL,
                  "Use the library as published, with its dynamic symbols.")
              .fault(
                  elf -> !elf.hasDescriptor(Subject.TLS_SYMBOL),
                  "no TLSDESC relocation names " + Subject.TLS_SYMBOL,
                  "Build the library with -mtls-dialect=gnu2 (x86-64) or desc (arm64): the profiler"
                      + " looks for this relocation.")
              .ok("both, and a TLSDESC relocation"),
          new Check<>("library.tls", "the resolved relocation", s -> s.elastic)
              .broken("Link the library with -z now.")
              .fault(
                  variable -> !variable.isStatic,
                  "%s, not static TLS",
                  "The public profiler reads wrong memory. With musl, use an image with glibc. With"
                      + " glibc, no static TLS was left when the library was loaded: set"
                      + " GLIBC_TUNABLES=glibc.rtld.optional_static_tls=2048, or start without the"
                      + " library that uses it up (LD_PRELOAD, other agents).")
              .ok("%s"),
          new Check<>("storage.set", "the pointer to the process data", MemoryRules::pointer)
              .fault(
                  pointer -> pointer == 0,
                  "the pointer to the process data is null",
                  "It was not set in the last second, although the library is loaded. A profiler"
                      + " that has read null does not look again: restart the process.")
              .ok("set"),
          new Check<>("storage.layout", "the process data", s -> s.storage)
              .broken("The library breaks the protocol: report this to its project.")
              .fault(
                  data -> !data.excess().isEmpty(),
                  "%s",
                  "The public profiler accepts names of at most 128 bytes and socket paths of 89"
                      + " bytes: use shorter ones.")
              .ok("%s"));

  static final Section CONTEXTS =
      new Section(
          "Process context and thread context (OTEP 4719, OTEP 4947)",
          new Check<>(
                  "context.mapped",
                  "the names of mappings",
                  MemoryRules::processContexts,
                  found -> found.size() == 1 ? found.get(0).path() : found.size() + "")
              .warning(
                  found -> found.size() > 1,
                  "%s process contexts: another library also publishes one",
                  ONE_CONTEXT)
              .warning(
                  List::isEmpty,
                  "no mapping is named OTEL_CTX",
                  "Profiles lack the resource of this process. Set"
                      + " elastic.otel.universal.profiling.integration.process.context.enabled to"
                      + " true, and add the OTLP exporter to the application.")
              .ok("%s"),
          new Check<>("context.decodes", "the mapping", s -> s.processContext)
              .broken("Readers reject it: fix the library that publishes it.")
              .ok("%s"),
          new Check<>(
                  "context.keys", "its attributes", MemoryRules::keys, FoundProcessContext::keys)
              .fault(
                  FoundProcessContext::isRejected,
                  "%s",
                  "Readers reject all thread contexts of the process: its writer must publish both.")
              .warning(
                  context -> !context.isAnnounced(),
                  "the process context does not announce thread contexts",
                  "Without threadlocal.schema_version, readers of OTEP 4947 do not look for thread"
                      + " contexts.")
              .ok("%s"),
          new Check<>(
                  "thread-context.library",
                  "the symbols of all mapped files",
                  s -> s.contextLibraries,
                  found -> found.size() == 1 ? found.get(0).mapping.path() : found.size() + "")
              .note(
                  List::isEmpty,
                  "none: readers of OTEP 4947 see no traces; readers of Elastic's protocol may")
              .warning(
                  found -> found.size() > 1,
                  "%s libraries define " + Subject.CONTEXT_SYMBOL,
                  "Readers use one of them: let only one library publish thread contexts.")
              .fault(
                  found -> Subject.isElastic(found.get(0).mapping),
                  "%s defines the symbols of both protocols",
                  "The public profiler needs a separate library for each protocol.")
              .warning(
                  found -> found.get(0).mapping.isDeleted(),
                  "%s was deleted",
                  "Datadog's agent can no longer read it. " + EXCLUDE)
              .ok("%s"),
          new Check<>("thread-context.tls", "the resolved relocation", s -> s.threadContext)
              .broken("Link the library with -z now.")
              .ok("%s"));

  static final Section THREADS =
      new Section(
          "Threads",
          new Check<>("threads.records", "the memory of threads", MemoryRules::threads)
              .fault(
                  threads -> !threads.problem().isEmpty(),
                  "%s",
                  "The library breaks the protocol: report this to its project.")
              .unknown(
                  threads -> threads.found.isEmpty(),
                  "%s",
                  "Check the C library: the doctor finds only threads of glibc.")
              .warning(
                  threads -> !threads.hasRecords(),
                  "%s",
                  "No thread has made a span current since the start, or the plug-in's context"
                      + " storage is not in use: see inside.context-storage.")
              .ok("%s"));

  private static Evidence<List<Mapping>> libraries(Subject subject) {
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
