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
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of a process show now. They run on meanwhile: a record that reads the same twice
 * was not being written, one that does not is left out.
 */
public final class LiveThreads {
  private static final int ATTEMPTS = 4;

  /** One thread, with the records that it has. */
  public static final class Shown {
    public final int tid;

    /** Where Elastic's record is, or 0 for none. */
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

    /** Returns whether some profiler takes a trace from this thread. */
    public boolean showsTrace() {
      return (elastic != null && elastic.showsTrace()) || (context != null && context.showsTrace());
    }
  }

  public final int threads;
  public final List<Shown> found = new ArrayList<>();
  private final Map<Integer, Long> pointers;
  private final Map<Integer, Integer> numbers;

  /** How many records changed each time they were read. */
  public int changing;

  /** Threads whose pointer leads to no memory, and where it leads. */
  public final Map<Integer, String> lost = new LinkedHashMap<>();

  private final TargetProcess process;

  /**
   * @throws IOException if the memory may not be read
   */
  public LiveThreads(Subject subject) throws IOException {
    process = subject.process;
    numbers = process.threads();
    threads = numbers.size();
    pointers =
        ThreadPointers.find(
            subject.memory(),
            subject.mappings,
            numbers.keySet(),
            Subject.IS_ARM ? descriptorSize(subject) : 0);
    read(subject);
  }

  private LiveThreads(LiveThreads earlier) {
    process = earlier.process;
    numbers = earlier.numbers;
    threads = earlier.threads;
    pointers = earlier.pointers;
  }

  /** Returns what the same threads show now. Those that have ended are left out. */
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
                subject.elastic == null ? 0 : subject.elastic.value(memory, pointer),
                stable(memory, subject.elastic, pointer, true, tid),
                stable(memory, subject.context, pointer, false, tid)));
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
      // A thread that has ended meanwhile has given its record back.
      if (variable.value(memory, pointer) == record && Files.exists(process.file("task/" + tid))) {
        lost.put(tid, "its pointer leads to 0x" + Long.toHexString(record) + ", where nothing is");
      }
      return null;
    }
  }

  /** Asks the C library what debuggers ask it. */
  private static int descriptorSize(Subject subject) throws IOException {
    for (Mapping mapping : subject.code()) {
      if (mapping.fileName().matches("lib(c|pthread)(\\.so|-2).*")) {
        try (ElfFile elf = subject.elf(mapping)) {
          ByteBuffer size = elf == null ? null : elf.constant("_thread_db_sizeof_pthread");
          if (size != null) {
            return size.getInt(0);
          }
        }
      }
    }
    throw new IOException("the C library does not say where its thread pointers are");
  }
}
