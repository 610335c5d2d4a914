/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.doctor.check;

import io.otelprofiling.correlation.internal.doctor.proc.Mapping;
import io.otelprofiling.correlation.internal.doctor.proc.ProcessMemory;
import io.otelprofiling.correlation.internal.doctor.proc.ThreadPointers;
import io.otelprofiling.correlation.internal.doctor.reader.ElfFile;
import io.otelprofiling.correlation.internal.doctor.reader.ThreadRecord;
import io.otelprofiling.correlation.internal.doctor.reader.TlsVariable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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

    public final @Nullable ThreadRecord elastic;
    public final @Nullable ThreadRecord context;

    Shown(
        int tid,
        long elasticAddress,
        @Nullable ThreadRecord elastic,
        @Nullable ThreadRecord context) {
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

  /**
   * @throws IOException if the memory may not be read
   */
  public LiveThreads(Subject subject) throws IOException {
    numbers = subject.process.threads();
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
      Integer tid = numbers.get(thread.getKey());
      long pointer = thread.getValue();
      try {
        found.add(
            new Shown(
                tid == null ? 0 : tid,
                subject.elastic == null ? 0 : subject.elastic.value(memory, pointer),
                stable(memory, subject.elastic, pointer, true),
                stable(memory, subject.context, pointer, false)));
      } catch (IOException e) {
        // The thread has ended.
      }
    }
  }

  private @Nullable ThreadRecord stable(
      ProcessMemory memory, @Nullable TlsVariable variable, long pointer, boolean isElastic)
      throws IOException {
    ThreadRecord last = readOnce(memory, variable, pointer, isElastic);
    for (int i = 0; i < ATTEMPTS && last != null; i++) {
      ThreadRecord next = readOnce(memory, variable, pointer, isElastic);
      if (next == null || last.equals(next)) {
        return next;
      }
      last = next;
    }
    changing += last == null ? 0 : 1;
    return null;
  }

  private static @Nullable ThreadRecord readOnce(
      ProcessMemory memory, @Nullable TlsVariable variable, long pointer, boolean isElastic)
      throws IOException {
    long record = variable == null ? 0 : variable.value(memory, pointer);
    return record == 0
        ? null
        : isElastic ? ThreadRecord.elastic(memory, record) : ThreadRecord.context(memory, record);
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
