/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.reader.StatusBlock;
import io.otelprofiling.doctor.internal.reader.TlsVariable;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The checks of the mappings and the memory of a process. */
final class MemoryRules {
  static final String STATUS_PROPERTY = "elastic.otel.universal.profiling.integration.status";
  private static final String NO_LIBRARY = "no library that publishes it";
  private static final String EXCLUDE =
      "Exclude otel-profiling-* from the cleanup of temporary files.";

  private static final String OTHERS = "another library of OTEP 4947";
  private static final String NO_JVM = "the process is not a running JVM";

  static final Section PLUGIN =
      new Section(
          "Plug-in",
          new Check<String>("process.stopped", "the states of its threads", MemoryRules::halt)
              .warning(
                  halt -> !halt.isEmpty(),
                  "%s",
                  "It does nothing until it continues: send it SIGCONT, detach the debugger, or"
                      + " thaw its cgroup.")
              .ok("it is neither stopped nor frozen"),
          new Check<String>("library.mapped", "the names of mapped files", MemoryRules::mapped)
              .ok(path -> path.startsWith("/"), "%s")
              .warning(
                  OTHERS::equals,
                  "%s, and none of Elastic's protocol",
                  "Readers of OTEP 4947 find this process; readers of Elastic's protocol do not.")
              .unknown(
                  NO_JVM::equals,
                  "%s and does not publish data for profilers",
                  "Give the PID of a Java process.")
              .unknown(
                  path -> true,
                  "this process does not show the plug-in's library: either no SDK with the plug-in"
                      + " was configured, or it is off",
                  "The log of the process has a line that begins with \"Profiling correlation is\"."
                      + " To be sure, see "
                      + STATUS_PROPERTY
                      + " in: jcmd PID VM.system_properties"),
          new Check<String>("plugin.jar", "names of open files and in its command", s -> jar(s))
              .ok(seen -> seen.startsWith("reported: "), "%s")
              .note(
                  String::isEmpty,
                  "no name of a jar of the plug-in is seen, which proves nothing: it may be in"
                      + " another jar",
                  "")
              .warning(
                  seen -> true,
                  "likely in use: %s",
                  "Then it is off, or no OpenTelemetry SDK has called it: its log says which."),
          new Check<String>("plugin.enabled", "its command, variables and status", s -> enabled(s))
              .ok(seen -> seen.startsWith("reported: "), "%s")
              .note(String::isEmpty, "no switch is seen; one may be in a file or in code", "")
              .warning(
                  seen -> true,
                  "likely switched off: %s",
                  "Remove the setting, or set it to auto or true, and restart the process."),
          new Check<String>(
                  "plugin.noexec", "the mounts that the process sees", MemoryRules::noexec)
              .warning(
                  seen -> !seen.isEmpty(),
                  "likely no library can be loaded: mounted with noexec: %s",
                  "Set elastic.otel.universal.profiling.integration.native.dir to a directory that"
                      + " may hold programs, and restart the process.")
              .note(seen -> true, "/tmp and / are mounted without noexec", ""));

  static final Section LIBRARY =
      new Section(
          "Library and process data (Elastic's protocol)",
          new Check<List<Mapping>>(
                  "library.copies",
                  "the files with its name",
                  s -> present(s.libraries.get()),
                  found ->
                      found.size()
                          + " different libraries are mapped, the first: "
                          + found.get(0).path())
              .fault(
                  found -> found.size() > 1,
                  "%s",
                  "Several class loaders or agents have one, and a profiler reads only the first:"
                      + " keep one of them.")
              .ok("one"),
          new Check<Mapping>(
                  "library.file",
                  "the list of mappings",
                  s -> present(s.libraries.get()).map(found -> found.get(0)),
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
          new Check<Library>("library.symbols", "the symbols of its file", s -> s.library.get())
              .fault(
                  found -> !found.hasPointer(),
                  "not exported, or not of 8 bytes: " + Subject.STORAGE_SYMBOL,
                  "Use the library as published, with its dynamic symbols.")
              .fault(
                  found -> !found.hasDescriptor(),
                  "no TLSDESC relocation names " + Subject.TLS_SYMBOL,
                  "Build the library with -mtls-dialect=gnu2 (x86-64) or desc (arm64): the profiler"
                      + " looks for this relocation.")
              .ok("both, and a TLSDESC relocation"),
          new Check<Tls>("library.tls", "the resolved relocation", Tls::of)
              .fault(tls -> tls.variable == null, "%s", "Link the library with -z now.")
              .fault(
                  tls -> !tls.isStatic() && tls.isMusl,
                  "%s: musl does not offer static TLS to libraries that are loaded later",
                  "The public profiler reads wrong memory: use an image with glibc. OTEP 4947"
                      + " works.")
              .fault(
                  tls -> !tls.isStatic(),
                  "%s: no static TLS was left when the library was loaded",
                  "The public profiler reads wrong memory: start the process with"
                      + " GLIBC_TUNABLES=glibc.rtld.optional_static_tls=2048, or without the library"
                      + " that uses it up (LD_PRELOAD, other agents).")
              .ok("%s"),
          new Check<Long>("storage.set", "the pointer to the process data", s -> pointer(s))
              .fault(
                  pointer -> pointer == 0,
                  "the pointer to the process data is null",
                  "It was not set in the last second, although the library is loaded. A profiler"
                      + " that has read null does not look again: restart the process.")
              .ok("set"),
          new Check<Decoded>("storage.layout", "the process data", s -> s.decoded.get())
              .fault(
                  Decoded::isBroken,
                  "%s",
                  "The library breaks the protocol: report this to its project.")
              .fault(
                  Decoded::isTooLong,
                  "%s",
                  "The public profiler accepts names of at most 128 bytes and socket paths of 89"
                      + " bytes: use shorter ones.")
              .ok("%s"));

  static final Section CONTEXTS =
      new Section(
          "Process context and thread context (OTEP 4719, OTEP 4947)",
          new Check<ContextFacts>("context.mapped", "the names of mappings", ContextFacts::mapped)
              .warning(
                  found -> found.count > 1,
                  "%s: another library also publishes one",
                  "Readers use only one: disable it in one of the two, or they may miss thread"
                      + " contexts.")
              .warning(
                  ContextFacts::isOfAnother,
                  "%s belongs to another library: the plug-in does not publish one",
                  "Readers use only one: disable it in one of the two, or they may miss thread"
                      + " contexts.")
              .warning(
                  found -> found.count == 0,
                  "no mapping is named OTEL_CTX%s",
                  "Profiles lack the resource of this process. Set"
                      + " elastic.otel.universal.profiling.integration.process.context.enabled to"
                      + " true, and add the OTLP exporter to the application.")
              .ok("%s"),
          new Check<ContextFacts>("context.decodes", "the mapping", ContextFacts::decoded)
              .fault(
                  found -> !found.problem.isEmpty(),
                  "%s",
                  "Readers reject it: fix the library that publishes it.")
              .ok("%s"),
          new Check<ContextFacts>(
                  "context.keys", "its attributes", ContextFacts::withKeys, ContextFacts::keys)
              .fault(
                  ContextFacts::isRejected,
                  "%s",
                  "Readers reject all thread contexts of the process: its writer must publish both.")
              .warning(
                  found -> !found.isAnnounced(),
                  "the process context does not announce thread contexts",
                  "Without threadlocal.schema_version, readers of OTEP 4947 do not look for thread"
                      + " contexts.")
              .ok("%s"),
          new Check<ContextLibraries>(
                  "thread-context.library",
                  "the symbols of all mapped files",
                  MemoryRules::contextLibraries)
              .note(
                  found -> found.found.isEmpty(),
                  "none: readers of OTEP 4947 see no traces; readers of Elastic's protocol may",
                  "")
              .warning(
                  found -> found.found.size() > 1,
                  "%s define " + Subject.CONTEXT_SYMBOL,
                  "Readers use one of them: let only one library publish thread contexts.")
              .fault(
                  ContextLibraries::isElastic,
                  "%s defines the symbols of both protocols",
                  "The public profiler needs a separate library for each protocol.")
              .warning(
                  found -> found.found.get(0).isDeleted(),
                  "%s was deleted",
                  "Datadog's agent can no longer read it. " + EXCLUDE)
              .ok("%s"),
          new Check<Tls>("thread-context.tls", "the resolved relocation", Tls::ofContext)
              .fault(
                  tls -> tls.variable == null,
                  Subject.CONTEXT_SYMBOL + " is not resolved: %s",
                  "Link the library with -z now.")
              .ok("%s"));

  static final Section THREADS =
      new Section(
          "Threads",
          new Check<LiveThreads>("threads.records", "the memory of threads", MemoryRules::threads)
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

  /** A thread-local variable, or why the dynamic linker has not resolved it. */
  static final class Tls {
    final @Nullable TlsVariable variable;
    final boolean isMusl;
    private final String text;

    Tls(@Nullable TlsVariable variable, boolean isMusl, String text) {
      this.variable = variable;
      this.isMusl = isMusl;
      this.text = text;
    }

    static Evidence<Tls> of(Subject subject) {
      return subject
          .library
          .get()
          .then(
              library ->
                  library.relocation == null
                      ? Evidence.none("the library has no relocation for it")
                      : resolved(subject, subject.elastic.get()));
    }

    static Evidence<Tls> ofContext(Subject subject) {
      return subject
          .contextLibraries
          .get()
          .then(
              libraries ->
                  libraries.found.isEmpty()
                      ? Evidence.none("")
                      : resolved(subject, subject.context.get()));
    }

    private static Evidence<Tls> resolved(Subject subject, Evidence<TlsVariable> read) {
      TlsVariable variable = read.value;
      if (read.isUnread) {
        return read.then(value -> Evidence.none(""));
      }
      String text = variable == null ? read.reason : variable.toString();
      return subject.musl.get().map(isMusl -> new Tls(variable, isMusl, text));
    }

    boolean isStatic() {
      return variable != null && variable.isStatic;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static Evidence<String> halt(Subject subject) {
    return subject
        .fact(
            "the states of its threads",
            () ->
                Evidence.of(
                    subject.process.isStopped()
                        ? "all threads are stopped"
                        : subject.process.isFrozen() ? "its cgroup is frozen" : ""))
        .get();
  }

  /** Returns the path of the library, or what the process is without one. */
  private static Evidence<String> mapped(Subject subject) {
    return subject
        .libraries
        .get()
        .map(
            found -> {
              ContextLibraries others = subject.contextLibraries.get().value;
              return !found.isEmpty()
                  ? found.get(0).path()
                  : others != null && !others.found.isEmpty()
                      ? OTHERS
                      : subject.process.isJava() ? "" : NO_JVM;
            });
  }

  private static Evidence<List<Mapping>> present(Evidence<List<Mapping>> libraries) {
    return libraries.then(found -> found.isEmpty() ? Evidence.none("") : Evidence.of(found));
  }

  /** Returns what the plug-in reports or, if no library could, what was seen. */
  private static Evidence<String> reportedOr(
      Subject subject, String key, Supplier<Evidence<String>> seen) {
    Evidence<StatusBlock> status = subject.status.get();
    List<Mapping> found = subject.libraries.get().value;
    boolean hasLibrary = found != null && !found.isEmpty();
    return status.value != null || status.isUnread || hasLibrary
        ? status.map(block -> "reported: " + block.text(key))
        : seen.get();
  }

  private static Evidence<String> jar(Subject subject) {
    return reportedOr(subject, "jar", () -> new Hints(subject).ownJars());
  }

  private static Evidence<String> enabled(Subject subject) {
    return reportedOr(subject, "mode", () -> new Hints(subject).switches());
  }

  private static Evidence<String> noexec(Subject subject) {
    List<Mapping> found = subject.libraries.get().value;
    return found != null && found.isEmpty() ? new Hints(subject).noexec() : Evidence.none("");
  }

  /** A pointer that is null is no fault of a plug-in that starts, or has stopped. */
  private static Evidence<Long> pointer(Subject subject) {
    Evidence<Long> read = subject.pointer.get();
    Evidence<StatusBlock> status = subject.status.get();
    StatusBlock block = status.value;
    if (read.value == null || read.value != 0) {
      return read;
    }
    if (block == null) {
      return status.isUnread ? status.then(unused -> Evidence.none("")) : read;
    }
    return block.isRunning()
        ? read
        : Evidence.none("not set, as the plug-in is " + block.text("state"));
  }

  private static Evidence<ContextLibraries> contextLibraries(Subject subject) {
    return subject
        .contextLibraries
        .get()
        .then(
            found ->
                found.found.isEmpty() && !found.hidden.isEmpty()
                    ? Evidence.unread(
                        found.hidden + " and maybe other files cannot be opened",
                        subject.rightsToRead())
                    : Evidence.of(found));
  }

  private static Evidence<LiveThreads> threads(Subject subject) {
    Evidence<TlsVariable> elastic = subject.elastic.get();
    Evidence<TlsVariable> context = subject.context.get();
    if (elastic.value == null && context.value == null) {
      return elastic.isUnread
          ? elastic.then(value -> Evidence.none(""))
          : context.isUnread ? context.then(value -> Evidence.none("")) : Evidence.none(NO_LIBRARY);
    }
    if (Boolean.TRUE.equals(subject.musl.get().value)) {
      return Evidence.unread(
          "the doctor cannot find the threads of musl",
          "Use a profiler that supports musl to see them.");
    }
    return subject
        .fact("the memory of its threads", () -> Evidence.of(LiveThreads.seenTwice(subject)))
        .get();
  }

  private MemoryRules() {}
}
