/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * What keeps a local root span in the tables, and where it is there. It is retained by each of its
 * spans that has not ended and has no entry of its own, the local root span included, and by each
 * processor in which it waits. Safe for use by many threads.
 *
 * <p>A superclass rather than a field, because applications exist in which a million local root
 * spans wait: an object more for each would count.
 */
abstract class RetainedEntry {
  /** What a span that has not ended is counted as, up to sixteen million. */
  static final int BY_SPAN = 1;

  /** What a processor in which it waits is counted as, up to a hundred and twenty-seven. */
  static final int BY_PROCESSOR = 1 << 24;

  private static final int EVICTED = -1;

  private static final AtomicIntegerFieldUpdater<RetainedEntry> RETENTIONS =
      AtomicIntegerFieldUpdater.newUpdater(RetainedEntry.class, "retentions");

  private volatile int retentions = BY_SPAN;

  /** Its key in a {@link SpanTable}, 0 if it is in none. Written before others find it there. */
  long key;

  /** Whether its key is made of the trace id, and not of the span id. Written with the key. */
  boolean ownsTraceId;

  /** Keeps it in its table. Returns false if it has been evicted. */
  boolean retain(int by) {
    while (true) {
      int before = retentions;
      if (before == EVICTED) {
        return false;
      }
      if (RETENTIONS.compareAndSet(this, before, before + by)) {
        return true;
      }
    }
  }

  /** Undoes {@link #retain}. Returns whether nothing retains it now. */
  boolean release(int by) {
    while (true) {
      int before = retentions;
      int ofThatKind = by == BY_SPAN && before != EVICTED ? before & (BY_PROCESSOR - 1) : before;
      if (ofThatKind < by) {
        return false; // evicted, or the end of a span whose start was not seen
      }
      if (RETENTIONS.compareAndSet(this, before, before - by)) {
        return before == by;
      }
    }
  }

  /** Marks it as evicted unless something retains it. Returns whether it did. */
  boolean evict() {
    return RETENTIONS.compareAndSet(this, 0, EVICTED);
  }

  /** Marks it as evicted unless it waits in a processor. Returns whether it is evicted. */
  boolean evictUnlessWaiting() {
    while (true) {
      int before = retentions;
      if (before >= BY_PROCESSOR) {
        return false;
      }
      if (RETENTIONS.compareAndSet(this, before, EVICTED)) {
        return true;
      }
    }
  }

  boolean isEvicted() {
    return retentions == EVICTED;
  }
}
