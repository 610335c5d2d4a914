/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import static io.flamespan.doctor.internal.check.Check.ELSE;
import static io.flamespan.doctor.internal.check.Check.check;
import static io.flamespan.doctor.internal.proc.FoundProcessStorage.MAX_SOCKET_PATH;
import static io.flamespan.doctor.internal.proc.FoundProcessStorage.bytes;
import static io.flamespan.doctor.internal.proc.FoundProcessStorage.isValid;
import static java.util.stream.Collectors.joining;

import io.flamespan.doctor.internal.check.SocketFacts.Binding;
import io.flamespan.doctor.internal.proc.Deadline;
import io.flamespan.doctor.internal.proc.ElfImage;
import io.flamespan.doctor.internal.proc.Mapping;
import io.flamespan.doctor.internal.proc.StatusBlock;
import io.flamespan.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;

/**
 * The checks of the report: which evidence each has, and which row of its table applies. They run
 * in the order in which they depend on each other.
 */
public final class Checks {
  private static final int SHORT_QUEUE = 64;
  private static final int LOOKS = 5;
  static final String QUEUE = "max_dgram_qlen";
  private static final String NO_MESSAGE =
      "messages.correlation = 0 and embedded.profiler = (?!on:).*";
  private static final int EXAMINATIONS = 3;
  private static final long EXAMINATION_MILLIS = 25_000;
  private static final EnumSet<Binding> ASKED =
      EnumSet.of(Binding.COUNTED, Binding.UNCLEAR, Binding.UNCOUNTED, Binding.UNREAD);

  /** Looks at the open files of all processes, once, which takes long on a large host. */
  private static final class Profilers {
    static final Future<String> FOUND =
        Deadline.start("doctor: profilers", TargetProcess::profilers);
  }

  /** All checks, in the order of the report. */
  public static final List<Check<?>> ALL =
      Collections.unmodifiableList(
          Arrays.asList(
              check("process.stopped", s -> Evidence.of(s.process.halt()))
                  .row(halt -> halt.isEmpty() ? ELSE : "halted"),
              check("library.mapped", Checks::mapped)
                  .row(path -> path.startsWith("/") ? "library" : path),
              hint("plugin.jar", s -> Evidence.of(Hints.jars(s.process)))
                  .row(
                      seen ->
                          seen.isEmpty()
                              ? "none"
                              : seen.startsWith(Hints.MISSING) ? "missing" : ELSE),
              hint("plugin.services", s -> Evidence.of(Hints.unlisted(s.process))),
              hint("plugin.extension", s -> Evidence.of(Hints.agent(s.process))),
              hint("plugin.enabled", s -> Evidence.of(Hints.switches(s.process))),
              hint("plugin.noexec", s -> Evidence.of(Hints.noexec(s.process))),
              check("library.copies", Checks::libraries)
                  .text(found -> found.size() + "")
                  .row(found -> found.size() > 1 ? "several" : ELSE),
              check("library.file", s -> libraries(s).map(found -> found.get(0)))
                  .text(Mapping::path)
                  .row(file -> file.isMemfd() ? "memfd" : file.isDeleted() ? "deleted" : ELSE),
              check("library.symbols", s -> s.library).row(Checks::missing),
              check("library.tls", s -> s.elastic).row(own -> own.isStatic ? ELSE : "dynamic"),
              check("storage.set", Checks::pointer),
              check("storage.layout", s -> s.storage)
                  .row(data -> data.excess().isEmpty() ? ELSE : "excess"),
              check("threads.records", s -> LiveThreads.of(s, LOOKS))
                  .text(looks -> looks.problem(LiveThreads.LAYOUT))
                  .row(looks -> looks.row(LiveThreads.LAYOUT)),
              status("inside.state", s -> s.status),
              status("inside.off", s -> known(s, false)),
              running("inside.trouble"),
              check("inside.settings", s -> known(s, true).then(Checks::changedSettings)),
              running("inside.sdks"),
              running("inside.messages"),
              running("inside.embedded-profiler"),
              running("inside.exporters"),
              running("inside.spans"),
              running("inside.context-storage"),
              running("inside.virtual-threads"),
              running("inside.contexts"),
              check("socket.path", s -> s.socket.path).row(Checks::flaw),
              check("socket.file", s -> s.socket.place),
              check("socket.bound", s -> s.socket.binding()),
              check("inside.answer", s -> s.socket.binding().only(ASKED::contains, "")),
              check(
                      "socket.queue",
                      s -> s.status.then(status -> number(status, QUEUE)).only(n -> n > 0, ""))
                  .row(length -> length < SHORT_QUEUE ? "short" : ELSE),
              check("host.profiler", Checks::profilers)
                  .row(found -> found.isEmpty() ? "none" : ELSE)));

  /** Returns the path of the library, or what the process is without one. */
  private static Evidence<String> mapped(Subject subject) {
    String otherwise = subject.process.isJava() ? "" : "no-jvm";
    return subject.libraries.map(found -> found.isEmpty() ? otherwise : found.get(0).path());
  }

  /** Returns a check of a likely reason, for a process without a library. */
  private static Check<String> hint(String id, Check.Source<String> hint) {
    return Check.<String>check(
            id, s -> s.libraries.only(List::isEmpty, "").then(none -> hint.of(s)))
        .row(seen -> seen.isEmpty() ? "none" : ELSE);
  }

  private static String missing(ElfImage library) {
    return !library.hasPointer(Subject.STORAGE_SYMBOL)
        ? "no-pointer"
        : library.descriptor(Subject.TLS_SYMBOL) == null ? "no-descriptor" : ELSE;
  }

  private static String flaw(String path) {
    boolean isLong = bytes(path) > MAX_SOCKET_PATH; // see storage.layout
    return !isValid(path) ? "invalid" : isLong ? "long" : ELSE;
  }

  private static Evidence<List<Mapping>> libraries(Subject subject) {
    return subject.libraries.only(found -> !found.isEmpty(), "");
  }

  /** Returns the pointer. Without one, a plug-in that is not on has nothing to say. */
  private static Evidence<Long> pointer(Subject subject) {
    Evidence<StatusBlock> status = subject.status;
    boolean isDue = status.value == null || status.value.isRunning();
    return !subject.pointer.isBroken()
        ? subject.pointer
        : status.isUnread()
            ? status.missing()
            : isDue ? subject.pointer : Evidence.none("null, as the plug-in is " + status.value);
  }

  private static Check<StatusBlock> running(String id) {
    return status(id, s -> known(s, true));
  }

  /** Returns a check whose rows are conditions for the status. */
  private static Check<StatusBlock> status(String id, Check.Source<StatusBlock> source) {
    Check<StatusBlock> check = check(id, source);
    return check
        .only(status -> withKeys(status, check.keys()))
        .text(status -> status.format(check.pattern).trim())
        .row(status -> row(check, status));
  }

  private static String row(Check<StatusBlock> check, StatusBlock status) {
    return check.rows.keySet().stream()
        .filter(name -> name.equals("unknown") ? isOftenUnknown(status) : status.holds(name))
        .findFirst()
        .orElse(ELSE);
  }

  /** Returns the eBPF profilers of the host, if none has sent a stack trace. */
  private static Evidence<String> profilers(Subject subject) throws IOException {
    return known(subject, true)
        .only(status -> status.holds(NO_MESSAGE), "")
        .then(
            status -> {
              if (!TargetProcess.seesHost()) {
                return Evidence.none("needs root and the PID namespace of the host");
              }
              try {
                return Evidence.of(Deadline.result(Profilers.FOUND, subject.patience()));
              } catch (InterruptedIOException e) {
                return Evidence.none("the files of all processes were not read in time");
              }
            });
  }

  private static Evidence<StatusBlock> withKeys(StatusBlock status, Set<String> keys) {
    return keys.stream()
        .filter(key -> !status.entries.containsKey(key))
        .findFirst()
        .map(Checks::<StatusBlock>lacking)
        .orElse(Evidence.of(status));
  }

  private static <T> Evidence<T> lacking(String key) {
    return Evidence.unread(
        "unknown: the status has no " + key, "Use the doctor of the plug-in's version.");
  }

  private static Evidence<Long> number(StatusBlock status, String key) {
    Long number = status.number(key);
    return number == null ? lacking(key) : Evidence.of(number);
  }

  private static boolean isOftenUnknown(StatusBlock status) {
    Long all = status.number("messages.correlation");
    Long unknown = status.number("messages.unknown");
    return all != null && unknown != null && all > 100 && unknown * 10 > all;
  }

  private static Evidence<String> changedSettings(StatusBlock status) {
    if (status.entries.containsKey("truncated")
        || status.entries.keySet().stream().noneMatch(key -> key.startsWith("setting."))) {
      return lacking("complete list of settings");
    }
    String settings =
        status.entries.entrySet().stream()
            .filter(entry -> entry.getKey().startsWith("setting."))
            .filter(entry -> !entry.getValue().endsWith("(default)"))
            .map(entry -> entry.getKey().substring("setting.".length()) + "=" + entry.getValue())
            .collect(joining(", "));
    return Evidence.of(settings.isEmpty() ? "all have their defaults" : settings);
  }

  /** Returns the status of a plug-in that runs, or that does not; inside.state says the rest. */
  private static Evidence<StatusBlock> known(Subject subject, boolean isRunning) {
    StatusBlock status = subject.status.value;
    boolean isSo = status != null && status.isRunning() == isRunning;
    return isSo ? subject.status : Evidence.none("");
  }

  /**
   * Examines a process, and examines it again if it has changed in the meantime, as one that starts
   * does: evidence from two moments may contradict itself.
   *
   * @throws IOException if the mappings of the process cannot be read
   */
  public static Report examine(TargetProcess process, Deadline deadline, List<Check<?>> checks)
      throws IOException {
    int left = EXAMINATIONS;
    while (left > 0) {
      Report report = new Report(process.pid, process.name());
      try (Subject subject = new Subject(process, deadline)) {
        if (subject.mappings.value != null) { // without them, nothing can be seen
          checks.forEach(check -> check.examine(subject, report, Subject.LIMIT_MILLIS));
        }
        boolean hasChanged = subject.hasChanged();
        if (process.hasEnded()) {
          return new Report("The process ended during the examination.");
        }
        subject.mappings.read();
        if (!hasChanged) {
          return report;
        }
        left = deadline.millisLeft() > EXAMINATION_MILLIS ? left - 1 : 0;
      }
    }
    return new Report(process.pid + " changes while it is examined. Look again when it runs.");
  }

  private Checks() {}
}
