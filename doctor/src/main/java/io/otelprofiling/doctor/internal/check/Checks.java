/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static io.otelprofiling.doctor.internal.check.Words.check;

import io.otelprofiling.doctor.internal.check.SocketFacts.Binding;
import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import io.otelprofiling.doctor.internal.reader.FoundProcessContext;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import io.otelprofiling.doctor.internal.reader.StatusBlock;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;

/** The checks of the report: which evidence each has, and when a row of its table applies. */
public final class Checks {
  private static final int SHORT_QUEUE = 64;
  private static final EnumSet<Binding> ASKED =
      EnumSet.of(Binding.COUNTED, Binding.UNCLEAR, Binding.UNCOUNTED, Binding.UNREAD);

  static final Section PLUGIN =
      new Section(
          "Plug-in",
          check("process.stopped", s -> Evidence.of(halt(s.process)))
              .when("halted", halt -> !halt.isEmpty()),
          check("library.mapped", Checks::mapped).when("library", path -> path.startsWith("/")),
          check("plugin.jar", s -> ifSilent(s).map(none -> Hints.jars(s.process)))
              .when("none", String::isEmpty),
          check("plugin.enabled", s -> ifSilent(s).map(none -> Hints.switches(s.process)))
              .when("none", String::isEmpty),
          check("plugin.noexec", s -> ifSilent(s).map(none -> Hints.noexec(s.process)))
              .when("some", seen -> !seen.isEmpty()));

  private static final Section LIBRARY =
      new Section(
          "Library and process data (Elastic's protocol)",
          check("library.copies", Checks::libraries)
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
          check("storage.set", Checks::pointer).when("null", pointer -> pointer == 0),
          check("storage.layout", s -> s.storage).when("excess", data -> !data.excess().isEmpty()));

  private static final Section CONTEXTS =
      new Section(
          "Process context and thread context (OTEP 4719, OTEP 4947)",
          check("context.mapped", Checks::processContexts)
              .text(found -> found.size() == 1 ? found.get(0).path() : found.size() + "")
              .when("several", found -> found.size() > 1)
              .when("none", List::isEmpty),
          check("context.decodes", s -> s.processContext),
          check("context.keys", Checks::keys)
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

  private static final Section THREADS =
      new Section(
          "Threads",
          check("threads.records", Checks::threads)
              .when("problem", threads -> !threads.problem().isEmpty())
              .when("unfound", threads -> threads.found.isEmpty())
              .when("no-record", threads -> !threads.hasRecords()));

  private static final Section STATUS =
      new Section(
          "Reported by the plug-in",
          check("inside.state", s -> s.status),
          check("inside.off", s -> known(s, false)),
          running("inside.trouble"),
          check("inside.settings", s -> known(s, true).map(Checks::settings)),
          running("inside.sdks"),
          running("inside.messages").when("unknown", Checks::isOftenUnknown),
          running("inside.embedded-profiler"),
          running("inside.exporters"),
          running("inside.spans"),
          running("inside.context-storage"),
          running("inside.virtual-threads"),
          running("inside.contexts"));

  private static final Section SOCKET =
      new Section(
          "Socket",
          check("socket.path", s -> s.socket.path)
              .when("invalid", path -> !FoundProcessStorage.isValid(path)),
          check("socket.file", s -> s.socket.place),
          check("socket.bound", s -> s.socket.binding()),
          check("inside.answer", s -> s.socket.binding().only(ASKED::contains, "")),
          check("socket.queue", Checks::queue).when("short", length -> length < SHORT_QUEUE));

  /** All sections, in the order of the report. */
  public static final List<Section> ALL =
      Collections.unmodifiableList(
          Arrays.asList(PLUGIN, LIBRARY, CONTEXTS, THREADS, STATUS, SOCKET));

  private static String halt(TargetProcess process) {
    String halt = process.halt();
    return halt.isEmpty() && !process.showsWhetherFrozen() ? "unknown" : halt;
  }

  /** Returns the path of the library, or what the process is without one. */
  private static Evidence<String> mapped(Subject subject) throws IOException {
    List<ElfFile> others = subject.contextLibraries.value;
    String otherwise =
        others != null && !others.isEmpty()
            ? "context-only"
            : subject.process.isJava() ? "" : "no-jvm";
    return subject.libraries.map(
        found -> found.stream().map(Mapping::path).findFirst().orElse(otherwise));
  }

  /** Returns evidence that there is no library, which would say more than hints. */
  private static Evidence<List<Mapping>> ifSilent(Subject subject) {
    return subject.libraries.only(List::isEmpty, "");
  }

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

  private static Check<StatusBlock> running(String id) {
    return check(id, s -> known(s, true));
  }

  private static boolean isOftenUnknown(StatusBlock status) {
    long all = status.number("messages.correlation");
    return all > 100 && status.number("messages.unknown") * 10 > all;
  }

  /** Returns the settings that are not the defaults. */
  private static String settings(StatusBlock status) {
    String settings =
        status.entries().entrySet().stream()
            .filter(entry -> entry.getKey().startsWith("setting."))
            .filter(entry -> !entry.getValue().endsWith("(default)"))
            .map(entry -> entry.getKey().substring("setting.".length()) + "=" + entry.getValue())
            .collect(Collectors.joining(", "));
    return settings.isEmpty() ? "all have their defaults" : settings;
  }

  /** Returns the status of a plug-in that runs, or that does not; inside.state says the rest. */
  private static Evidence<StatusBlock> known(Subject subject, boolean isRunning) {
    StatusBlock status = subject.status.value;
    boolean isSo = status != null && status.isRunning() == isRunning;
    return isSo ? subject.status : Evidence.none("");
  }

  private static Evidence<Long> queue(Subject subject) throws IOException {
    return subject.status.map(status -> status.number("max_dgram_qlen")).only(n -> n > 0, "");
  }

  private Checks() {}
}
