/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import io.flamespan.doctor.internal.proc.Deadline;
import io.flamespan.doctor.internal.proc.ElfImage.TlsVariable;
import io.flamespan.doctor.internal.proc.FoundThreadRecord;
import io.flamespan.doctor.internal.proc.ProcessMemory;
import io.flamespan.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The records that the threads of a process show, and the rules that they break. The threads keep
 * running while they are read, many times. A record counts once two reads in a row agree; one that
 * keeps changing is left out.
 */
public final class LiveThreads {
  static final String LAYOUT = "thread.layout";
  private static final String CONSISTENT = "thread.consistent";
  static final String[] RULES = {"thread.records", LAYOUT, CONSISTENT};

  private static final int ATTEMPTS = 5;
  private static final long PAUSE_MILLIS = 10;

  // A few violations are tolerated: between two reads, a virtual thread may move to another
  // carrier, and a new thread may reuse the stack of one that has ended.
  private static final int FEW = 3;

  private final TargetProcess process;
  private final ProcessMemory memory;
  private final TlsVariable variable;

  /** The doctor's thread ids by the process's. */
  private final Map<Integer, Integer> numbers;

  /** The thread pointers by the thread ids of the process. */
  private final Map<Integer, Long> pointers;

  /** What the last look has found. */
  public final List<FoundThreadRecord> records = new ArrayList<>();

  private final Map<String, String> rootOfSpan = new HashMap<>();
  private boolean hasRecords;

  /** How often a thread breaks a rule, and how the rules are broken, by their ids. */
  private final Map<String, Integer> violations = new HashMap<>();

  private final Map<String, String> problems = new HashMap<>();

  private LiveThreads(Subject subject, TlsVariable variable) throws IOException {
    process = subject.process;
    memory = subject.memory.read();
    this.variable = variable;
    numbers = process.threads();
    pointers = subject.threadPointers(numbers.keySet());
  }

  /**
   * Looks a number of times at what the threads show, if it is where profilers look for it.
   *
   * @throws IOException if the memory of the process cannot be read
   */
  public static Evidence<LiveThreads> of(Subject subject, int looks) throws IOException {
    return subject.elastic.then(
        variable -> {
          LiveThreads threads = new LiveThreads(subject, variable);
          if (!variable.isStatic && !threads.pointers.isEmpty()) {
            return Evidence.none("not where profilers look for them: see library.tls");
          }
          for (int look = 1; look <= looks; look++) {
            threads.look();
            new Deadline(2 * PAUSE_MILLIS).pause(look < looks ? PAUSE_MILLIS : 0);
          }
          return Evidence.of(threads);
        });
  }

  private void look() {
    records.clear();
    for (Map.Entry<Integer, Long> thread : pointers.entrySet()) {
      int tid = numbers.getOrDefault(thread.getKey(), 0);
      try {
        FoundThreadRecord record = stable(tid, thread.getValue());
        if (record != null && (record.problem.isEmpty() || !process.threadName(tid).isEmpty())) {
          records.add(record);
          check(record);
        }
      } catch (IOException e) {
        // The thread has ended.
      }
    }
    hasRecords |= !records.isEmpty();
  }

  private @Nullable FoundThreadRecord stable(int tid, long threadPointer) throws IOException {
    String last = "";
    for (int i = 0; i < ATTEMPTS; i++) {
      long address = variable.value(memory, threadPointer);
      FoundThreadRecord record = address == 0 ? null : new FoundThreadRecord(tid, memory, address);
      if (record == null || last.equals(record + record.problem)) {
        return record;
      }
      last = record + record.problem;
    }
    return null;
  }

  private void check(FoundThreadRecord record) {
    if (!record.problem.isEmpty()) {
      note(LAYOUT, record, FEW, record.problem);
    } else if (record.showsTrace()) {
      String ids = record.traceId + "/" + record.transactionId;
      String before = rootOfSpan.put(record.spanId, ids);
      if (before != null && !before.equals(ids)) {
        String both = " with " + before + " and with " + ids;
        note(CONSISTENT, record, 0, "span " + record.spanId + both);
      }
    }
  }

  private void note(String rule, FoundThreadRecord record, int tolerated, String what) {
    if (violations.merge(rule + record.tid, 1, Integer::sum) > tolerated) {
      problems.put(rule, "thread " + process.threadName(record.tid) + ": " + what);
    }
  }

  /** Returns how this rule is broken, or else what the last look has found. */
  String problem(String rule) {
    return problems.getOrDefault(rule, toString());
  }

  String row(String rule) {
    boolean isUnseen = !hasRecords || (rule.equals(CONSISTENT) && rootOfSpan.isEmpty());
    return problems.containsKey(rule)
        ? "rule"
        : pointers.isEmpty() ? "unfound" : isUnseen ? "none" : Check.ELSE;
  }

  @Override
  public String toString() {
    long traces = records.stream().filter(FoundThreadRecord::showsTrace).count();
    return String.format(
        "%d of %d threads found, %d have a record, %d show a trace now",
        pointers.size(), numbers.size(), records.size(), traces);
  }
}
