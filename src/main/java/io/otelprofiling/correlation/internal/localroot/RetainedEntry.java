/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Counts what retains a local root span in its table. It is retained by each of its spans that has
 * not ended and has no entry of its own, the local root span included, and by each processor in
 * which it waits. Thread-safe.
 *
 * <p>This is a superclass rather than a field, because a million local root spans may wait in an
 * application, so one more object for each would matter.
 */
abstract class RetainedEntry {
  /** The count of a span that has not ended; there may be sixteen million. */
  static final int BY_SPAN = 1;

  /** The count of a processor in which it waits; there may be 127. */
  static final int BY_PROCESSOR = 1 << 24;

  private static final int EVICTED = -1;

  private static final AtomicIntegerFieldUpdater<RetainedEntry> RETENTIONS =
      AtomicIntegerFieldUpdater.newUpdater(RetainedEntry.class, "retentions");

  private volatile int retentions = BY_SPAN;

  /** Retains it. Returns false if it has been evicted. */
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

  /** Marks it as evicted, unless something retains it. Returns whether it is evicted now. */
  boolean evict() {
    return RETENTIONS.compareAndSet(this, 0, EVICTED);
  }

  /** Marks it as evicted, unless it waits in a processor. Returns whether it is evicted now. */
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
