/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.proc.ThreadPointers;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import io.otelprofiling.doctor.internal.reader.FoundThreadRecord;
import io.otelprofiling.doctor.internal.reader.TlsVariable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The records that the threads of a process show now. The threads keep running while they are read.
 * A record counts once two reads in a row agree; one that keeps changing is left out.
 */
public final class LiveThreads {
  private static final int ATTEMPTS = 4;

  /** One thread and its records. */
  public static final class Shown {
    public final int tid;

    /** The address of Elastic's record, or 0 if the thread does not have one. */
    public final long elasticAddress;

    public final @Nullable FoundThreadRecord elastic;
    public final @Nullable FoundThreadRecord context;

    Shown(
        int tid,
        long elasticAddress,
        @Nullable FoundThreadRecord elastic,
        @Nullable FoundThreadRecord context) {
      this.tid = tid;
      this.elasticAddress = elasticAddress;
      this.elastic = elastic;
      this.context = context;
    }

    /** Returns whether a profiler finds a trace in this thread, by either protocol. */
    public boolean showsTrace() {
      return (elastic != null && elastic.showsTrace()) || (context != null && context.showsTrace());
    }
  }

  public final int threads;
  public final List<Shown> found = new ArrayList<>();
  private final Map<Integer, Long> pointers;
  private final Map<Integer, Integer> numbers;
  private final @Nullable TlsVariable elastic;
  private final @Nullable TlsVariable context;

  /** The number of records that changed on every read. */
  public int changing;

  /**
   * The threads whose pointer leads to unmapped memory, each with a text that names the address.
   */
  public final Map<Integer, String> lost = new LinkedHashMap<>();

  private final TargetProcess process;

  /**
   * @throws IOException if the memory of the process cannot be read
   */
  public LiveThreads(Subject subject) throws IOException {
    process = subject.process;
    elastic = subject.elastic.get().value;
    context = subject.context.get().value;
    numbers = process.threads();
    threads = numbers.size();
    pointers =
        ThreadPointers.find(
            subject.memory(),
            Subject.read(subject.mappings),
            numbers.keySet(),
            Subject.IS_ARM ? descriptorSize(subject) : 0);
    read(subject);
  }

  private LiveThreads(LiveThreads earlier) {
    process = earlier.process;
    elastic = earlier.elastic;
    context = earlier.context;
    numbers = earlier.numbers;
    threads = earlier.threads;
    pointers = earlier.pointers;
  }

  /** Returns what threads show, without those that have ended between two looks. */
  static LiveThreads seenTwice(Subject subject) throws IOException {
    LiveThreads threads = new LiveThreads(subject);
    if (!threads.lost.isEmpty()) {
      threads.lost.keySet().retainAll(threads.readAgain(subject).lost.keySet());
    }
    return threads;
  }

  /** Returns what the same threads show now, without those that have ended. */
  public LiveThreads readAgain(Subject subject) throws IOException {
    LiveThreads again = new LiveThreads(this);
    again.read(subject);
    return again;
  }

  private void read(Subject subject) throws IOException {
    ProcessMemory memory = subject.memory();
    for (Map.Entry<Integer, Long> thread : pointers.entrySet()) {
      Integer number = numbers.get(thread.getKey());
      int tid = number == null ? 0 : number;
      long pointer = thread.getValue();
      try {
        found.add(
            new Shown(
                tid,
                elastic == null ? 0 : elastic.value(memory, pointer),
                stable(memory, elastic, pointer, true, tid),
                stable(memory, context, pointer, false, tid)));
      } catch (IOException e) {
        // The thread has ended.
      }
    }
  }

  private @Nullable FoundThreadRecord stable(
      ProcessMemory memory,
      @Nullable TlsVariable variable,
      long pointer,
      boolean isElastic,
      int tid)
      throws IOException {
    FoundThreadRecord last = readOnce(memory, variable, pointer, isElastic, tid);
    for (int i = 0; i < ATTEMPTS && last != null; i++) {
      FoundThreadRecord next = readOnce(memory, variable, pointer, isElastic, tid);
      if (next == null || last.equals(next)) {
        return next;
      }
      last = next;
    }
    changing += last == null ? 0 : 1;
    return null;
  }

  private @Nullable FoundThreadRecord readOnce(
      ProcessMemory memory,
      @Nullable TlsVariable variable,
      long pointer,
      boolean isElastic,
      int tid)
      throws IOException {
    long record = variable == null ? 0 : variable.value(memory, pointer);
    if (variable == null || record == 0) {
      return null;
    }
    try {
      return isElastic
          ? FoundThreadRecord.elastic(memory, record)
          : FoundThreadRecord.context(memory, record);
    } catch (IOException e) {
      // A thread that has ended in the meantime has freed its record.
      if (variable.value(memory, pointer) == record && process.hasThread(tid)) {
        lost.put(
            tid, "its pointer leads to 0x" + Long.toHexString(record) + ", which is not mapped");
      }
      return null;
    }
  }

  /** Returns the size of the thread descriptor, from the constant that debuggers also read. */
  private static int descriptorSize(Subject subject) throws IOException {
    for (Mapping mapping : Subject.codeIn(Subject.read(subject.mappings))) {
      String name = mapping.fileName();
      if (name.startsWith("libc.so")
          || name.startsWith("libc-2")
          || name.startsWith("libpthread")) {
        try (ElfFile elf = new ElfFile(subject.process.open(mapping))) {
          ByteBuffer size = elf.constant("_thread_db_sizeof_pthread");
          if (size != null) {
            return size.getInt(0);
          }
        }
      }
    }
    throw new IOException("the C library does not export the size of its thread descriptors");
  }

  /** Returns how a record breaks the rules, or "". */
  String problem() {
    for (Shown thread : found) {
      String wrong = thread.elastic == null ? "" : thread.elastic.problem();
      wrong = wrong.isEmpty() && thread.context != null ? thread.context.problem() : wrong;
      if (!wrong.isEmpty()) {
        return "thread " + process.threadName(thread.tid) + ": " + wrong;
      }
    }
    for (Map.Entry<Integer, String> thread : lost.entrySet()) {
      return "thread " + process.threadName(thread.getKey()) + ": " + thread.getValue();
    }
    return "";
  }

  boolean hasRecords() {
    return found.stream().anyMatch(thread -> thread.elastic != null || thread.context != null);
  }

  @Override
  public String toString() {
    return !problem().isEmpty()
        ? problem()
        : String.format(
            "%d of %d threads found, %d have a record, %d a thread context, %d show a trace now",
            found.size(),
            threads,
            found.stream().filter(thread -> thread.elastic != null).count(),
            found.stream().filter(thread -> thread.context != null).count(),
            found.stream().filter(Shown::showsTrace).count());
  }
}
