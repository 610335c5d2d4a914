/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.pace;

import io.flamespan.correlation.internal.threads.Position;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Which delayed spans a processor has read, and how many it can hold: what it had when it began to
 * read, and read later. A composite processor has several readers, of which the slowest counts,
 * unless it has read nothing for a second while another one has. A reader may change its thread.
 * Thread-safe.
 */
final class Readers {
  private static final int MAX_READERS = 4;
  private static final int MAX_THREADS = 8;
  private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(30); // to twice as long

  private final Position given = new Position(); // the number of the last span
  private final long[] threads = new long[MAX_THREADS]; // ids, which are positive
  private final Reader[] byThread = new Reader[MAX_THREADS];
  private int nextThread;
  private Reader[] readers = {};
  private long rememberedSince;

  /** Somebody who reads all spans in their order, or some of them. */
  private static final class Reader {
    long last; // the number of the last span that it has read
    long lastSeen;
    long lastSeenNanos;
    private int held;
    private int heldBefore;
    private double spansPerRead = Double.MAX_VALUE; // others may have been dropped unread
    private double spansPerReadBefore = Double.MAX_VALUE;
    private long runBegin;
    private long runEnd; // what was given when this run of reads began
    private int reads;

    void read(long number, long givenNow) {
      if (number > runEnd) {
        if (reads > 0) {
          spansPerRead = Math.min(spansPerRead, (double) (runEnd - runBegin) / reads);
        }
        runBegin = runEnd;
        runEnd = givenNow;
        reads = 0;
      }
      reads++;
      held = Math.max(held, reads);
      last = Math.max(last, number);
    }

    /** Returns how many spans it was seen to hold, read or not. */
    long limit() {
      double perRead = Math.min(spansPerRead, spansPerReadBefore);
      int most = Math.max(1, Math.max(held, heldBefore));
      return perRead == Double.MAX_VALUE ? most : (long) (most * Math.max(1, perRead));
    }

    void forgetOld() {
      heldBefore = held;
      spansPerReadBefore = spansPerRead;
      held = 0;
      spansPerRead = Double.MAX_VALUE;
    }
  }

  /** What was seen at one time. */
  static final class Seen {
    long read; // the number of the last span that all active readers have read or passed
    long limit; // how many spans may be given and not read, or 0 if none was read yet
  }

  Readers(long now) {
    this.rememberedSince = now;
  }

  /** Returns the number of the span that is given next, and counts it. One thread at a time. */
  long give() {
    long number = given.get() + 1;
    given.lazySet(number);
    return number;
  }

  /** Returns how many spans were given. */
  long given() {
    return given.get();
  }

  /** Records that the caller's thread reads a span. */
  synchronized void read(long number) {
    long thread = Thread.currentThread().getId();
    int i = 0;
    while (i < MAX_THREADS && threads[i] != thread) {
      i++;
    }
    if (i == MAX_THREADS) {
      i = nextThread++ % MAX_THREADS;
      byThread[i] = readerFrom(number);
      threads[i] = thread;
    }
    byThread[i].read(number, given.get());
  }

  /** Returns the reader that continues with this span, or a new one. */
  private Reader readerFrom(long number) {
    Reader first = null;
    for (Reader reader : readers) {
      if (first == null || reader.last > first.last) {
        first = reader;
      }
    }
    if (first != null && (number > first.last || readers.length == MAX_READERS)) {
      return first;
    }
    Reader added = new Reader();
    readers = Arrays.copyOf(readers, readers.length + 1);
    readers[readers.length - 1] = added;
    return added;
  }

  /** Looks at what was read. */
  synchronized void observe(long now, Seen seen) {
    long silent = Long.MAX_VALUE; // of the most active reader
    for (Reader reader : readers) {
      if (reader.last != reader.lastSeen) {
        reader.lastSeen = reader.last;
        reader.lastSeenNanos = now;
      }
      silent = Math.min(silent, now - reader.lastSeenNanos);
    }
    long read = Long.MAX_VALUE;
    long limit = Long.MAX_VALUE;
    for (Reader reader : readers) {
      if (now - reader.lastSeenNanos <= silent + SILENT_NANOS) {
        read = Math.min(read, reader.last);
        limit = Math.min(limit, reader.limit());
      }
    }
    if (now - rememberedSince >= REMEMBERED_NANOS) {
      rememberedSince = now;
      for (Reader reader : readers) {
        reader.forgetOld();
      }
    }
    seen.read = readers.length == 0 ? 0 : read;
    seen.limit = readers.length == 0 ? 0 : limit;
  }
}
