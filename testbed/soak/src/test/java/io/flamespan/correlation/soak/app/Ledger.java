/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak.app;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The ledger of a process: which of its numbered spans must arrive downstream of the plug-in, and
 * which have arrived. Writes a file that Soak compares with the messages of the profiler.
 */
public final class Ledger {
  private static final int WORDS = 1 << 20; // for 64 million spans

  private final AtomicLongArray due = new AtomicLongArray(WORDS);
  private final AtomicLongArray arrived = new AtomicLongArray(WORDS);
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong twice = new AtomicLong();
  private final AtomicLong ids = new AtomicLong();
  private final BufferedWriter file;

  Ledger(Path file) throws IOException {
    this.file = Files.newBufferedWriter(file);
  }

  /** Returns the number of the next span. */
  public long next() {
    long number = numbers.getAndIncrement();
    if (number >= WORDS * 64L) {
      throw new IllegalStateException("more spans than fit into the ledger");
    }
    return number;
  }

  /** Must be called when the end of a span has returned before its SDK began to close. */
  public void due(long number) {
    set(due, number);
  }

  /** Records a span whose SDK was closed before it ended. It may be lost, with its stack traces. */
  public void excused(String traceId, String spanId) {
    write("U " + traceId + ' ' + spanId);
  }

  /** Must be called downstream of the plug-in for each span, with the span's stack trace ids. */
  public void arrived(
      long number, String traceId, String spanId, boolean waited, List<String> all) {
    if (!set(arrived, number)) {
      twice.incrementAndGet();
    }
    if (!all.isEmpty()) {
      ids.addAndGet(all.size());
      write("A " + traceId + ' ' + spanId + ' ' + String.join(" ", all));
    }
    if (!waited) {
      write("U " + traceId + ' ' + spanId);
    }
  }

  private synchronized void write(String line) {
    try {
      file.write(line);
      file.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean set(AtomicLongArray bits, long number) {
    long bit = 1L << number;
    return (bits.getAndAccumulate((int) (number >>> 6), bit, (a, b) -> a | b) & bit) == 0;
  }

  /** Returns the entries for the process's final output. */
  synchronized String close() throws IOException {
    file.close();
    long dueSpans = 0;
    long arrivedSpans = 0;
    long lost = 0;
    for (int i = 0; i < WORDS; i++) {
      dueSpans += Long.bitCount(due.get(i));
      arrivedSpans += Long.bitCount(arrived.get(i));
      lost += Long.bitCount(due.get(i) & ~arrived.get(i));
    }
    return String.format(
        "spans.due=%d spans.arrived=%d spans.lost=%d spans.twice=%d ids=%d",
        dueSpans, arrivedSpans, lost, twice.get(), ids.get());
  }
}
