/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import io.otelprofiling.doctor.internal.reader.FoundProcessContext;
import io.otelprofiling.doctor.internal.reader.StatusBlock;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The process context (OTEP 4719) of a process, as readers find it. Immutable. */
final class ContextFacts {
  private static final String SCHEMA = "threadlocal.schema_version";
  private static final String KEYS = "threadlocal.attribute_key_map";

  /** How long a writer that has lost its CPU may take for a change. */
  private static final long CHANGE_MILLIS = 1_000;

  private static final long PAUSE_MILLIS = 50;

  final int count;
  final String problem;
  private final String told;
  private final String path;
  private final @Nullable FoundProcessContext context;

  private ContextFacts(
      List<Mapping> found, String told, @Nullable FoundProcessContext context, String problem) {
    this.count = found.size();
    this.path = count == 0 ? "" : found.get(0).path();
    this.told = told;
    this.context = context;
    this.problem = problem;
  }

  private static List<Mapping> find(List<Mapping> all) {
    return all.stream().filter(FoundProcessContext::isIn).collect(Collectors.toList());
  }

  static Evidence<ContextFacts> mapped(Subject subject) {
    Evidence<StatusBlock> read = subject.status.get();
    StatusBlock status = read.value;
    String told = status == null ? "" : status.text("process.context");
    return subject
        .mappings
        .get()
        .then(
            all -> {
              if (!find(all).isEmpty()) {
                return Evidence.of(new ContextFacts(find(all), told, null, ""));
              }
              if (subject.isSilent()) {
                return Evidence.none("");
              }
              if (read.isUnread
                  && subject.library.get().value != null) { // maybe it starts just now
                return read.then(value -> Evidence.none(""));
              }
              return status == null || status.isRunning()
                  ? Evidence.of(new ContextFacts(find(all), told, null, ""))
                  : Evidence.none("none, as the plug-in is " + status.text("state"));
            });
  }

  static Evidence<ContextFacts> decoded(Subject subject) {
    return subject
        .mappings
        .get()
        .then(
            all ->
                find(all).isEmpty()
                    ? Evidence.none("")
                    : subject.fact("the process context", () -> decode(subject, find(all))).get());
  }

  private static Evidence<ContextFacts> decode(Subject subject, List<Mapping> found)
      throws IOException {
    ProcessMemory memory = subject.memory();
    Deadline patience = new Deadline(CHANGE_MILLIS);
    while (true) {
      try {
        FoundProcessContext context = new FoundProcessContext(memory, found.get(0));
        return Evidence.of(new ContextFacts(found, "", context, ""));
      } catch (IOException e) {
        if (patience.millisLeft() == 0) {
          return Evidence.of(new ContextFacts(found, "", null, String.valueOf(e.getMessage())));
        }
      }
      Subject.pause(PAUSE_MILLIS);
    }
  }

  /** Returns the context if it has something to say about thread contexts, or should have. */
  static Evidence<ContextFacts> withKeys(Subject subject) {
    return decoded(subject)
        .then(
            found ->
                found.context == null
                        || (!found.isMentioned() && subject.context.get().value == null)
                    ? Evidence.none("")
                    : Evidence.of(found));
  }

  boolean isOfAnother() {
    return count == 1 && told.contains("another");
  }

  private @Nullable Object attribute(String name) {
    return context == null ? null : context.attributes().get(name);
  }

  private boolean isMentioned() {
    return attribute(SCHEMA) != null || attribute(KEYS) != null;
  }

  boolean isAnnounced() {
    return attribute(SCHEMA) != null;
  }

  boolean isRejected() {
    Object keys = attribute(KEYS);
    return isMentioned() && (!isAnnounced() || !(keys == null || keys instanceof List));
  }

  String keys() {
    return SCHEMA + " is " + attribute(SCHEMA) + ", " + KEYS + " is " + attribute(KEYS);
  }

  @Override
  public String toString() {
    if (!problem.isEmpty()) {
      return problem;
    }
    if (context != null) {
      return context.size + " bytes, version 2, resource " + context.resource();
    }
    return count == 0
        ? told.isEmpty() ? "" : "; the plug-in reports: " + told
        : count == 1 ? path : count + " process contexts";
  }
}
