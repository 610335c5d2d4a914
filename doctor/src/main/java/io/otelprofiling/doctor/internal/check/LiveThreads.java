/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.FoundThreadRecord;
import io.otelprofiling.doctor.internal.reader.TlsVariable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The records that the threads of a process show now. The threads keep running while they are read.
 * A record counts once two reads in a row agree; one that keeps changing is left out.
 */
public final class LiveThreads {
  private static final int ATTEMPTS = 4;

  /** One thread and its records. */
  public final class Shown {
    public final int tid;

    /** The address of Elastic's record, or 0 if the thread does not have one. */
    public final long address;

    public final @Nullable FoundThreadRecord elastic;
    public final @Nullable FoundThreadRecord context;

    Shown(int tid, long pointer) throws IOException {
      this.tid = tid;
      TlsVariable own = subject.elastic.value;
      address = own == null ? 0 : own.value(memory, pointer);
      elastic = stable(own, pointer, true, tid);
      context = stable(subject.threadContext.value, pointer, false, tid);
    }

    /** Returns whether a profiler finds a trace in this thread, by either protocol. */
    public boolean showsTrace() {
      return (elastic != null && elastic.showsTrace()) || (context != null && context.showsTrace());
    }

    private String problem() {
      String own = elastic == null ? "" : elastic.problem();
      return own.isEmpty() && context != null ? context.problem() : own;
    }
  }

  private final Subject subject;
  private final TargetProcess process;
  private final ProcessMemory memory;

  /**
   * The thread ids of the doctor by those of the process, and the thread pointers by the latter.
   */
  private final Map<Integer, Integer> numbers;

  private final Map<Integer, Long> pointers;

  public final List<Shown> found = new ArrayList<>();

  /** The threads whose pointer leads to unmapped memory, each with a text. */
  public final Map<Integer, String> lost = new LinkedHashMap<>();

  /**
   * @throws IOException if the memory of the process cannot be read
   */
  public LiveThreads(Subject subject) throws IOException {
    this.subject = subject;
    process = subject.process;
    memory = subject.memory.read();
    numbers = process.threads();
    pointers = subject.threadPointers(numbers.keySet());
    readAgain();
  }

  /** Returns what threads show, without those that have ended between two looks. */
  static LiveThreads seenTwice(Subject subject) throws IOException {
    LiveThreads threads = new LiveThreads(subject);
    Set<Integer> lostBefore = new HashSet<>(threads.lost.keySet());
    if (!lostBefore.isEmpty()) {
      threads.readAgain();
      threads.lost.keySet().retainAll(lostBefore);
    }
    return threads;
  }

  /** Returns how many threads the process has, also such that were not found. */
  public int count() {
    return numbers.size();
  }

  /** Reads what the same threads show now, without those that have ended. */
  public void readAgain() {
    found.clear();
    lost.clear();
    for (Map.Entry<Integer, Long> thread : pointers.entrySet()) {
      int tid = numbers.getOrDefault(thread.getKey(), 0);
      try {
        found.add(new Shown(tid, thread.getValue()));
      } catch (IOException e) {
        // The thread has ended.
      }
    }
  }

  private @Nullable FoundThreadRecord stable(
      @Nullable TlsVariable variable, long pointer, boolean isElastic, int tid) throws IOException {
    FoundThreadRecord last = readOnce(variable, pointer, isElastic, tid);
    for (int i = 0; i < ATTEMPTS && last != null; i++) {
      FoundThreadRecord next = readOnce(variable, pointer, isElastic, tid);
      if (next == null || last.toString().equals(next.toString())) {
        return next;
      }
      last = next;
    }
    return null;
  }

  private @Nullable FoundThreadRecord readOnce(
      @Nullable TlsVariable variable, long pointer, boolean isElastic, int tid) throws IOException {
    long record = variable == null ? 0 : variable.value(memory, pointer);
    if (variable == null || record == 0) {
      return null;
    }
    try {
      return new FoundThreadRecord(memory, record, isElastic);
    } catch (IOException e) {
      // A thread that has ended in the meantime has freed its record.
      if (!process.threadName(tid).isEmpty() && variable.value(memory, pointer) == record) {
        lost.put(
            tid, "its pointer leads to 0x" + Long.toHexString(record) + ", which is not mapped");
      }
      return null;
    }
  }

  /** Returns how a record breaks the rules, or "". */
  String problem() {
    Map<Integer, String> problems = new LinkedHashMap<>();
    for (Shown thread : found) {
      problems.put(thread.tid, thread.problem());
    }
    problems.putAll(lost);
    return problems.entrySet().stream()
        .filter(problem -> !problem.getValue().isEmpty())
        .map(
            problem -> "thread " + process.threadName(problem.getKey()) + ": " + problem.getValue())
        .findFirst()
        .orElse("");
  }

  boolean hasRecords() {
    return found.stream().anyMatch(thread -> thread.elastic != null || thread.context != null);
  }

  @Override
  public String toString() {
    String problem = problem();
    return !problem.isEmpty()
        ? problem
        : String.format(
            "%d of %d threads found, %d have a record, %d a thread context, %d show a trace now",
            found.size(),
            count(),
            found.stream().filter(thread -> thread.elastic != null).count(),
            found.stream().filter(thread -> thread.context != null).count(),
            found.stream().filter(Shown::showsTrace).count());
  }
}
