/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import io.flamespan.correlation.internal.protocol.HexIds;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a local root span, and its samples until they are frozen. Refers at most weakly to
 * anything that leads to the span, because an unfinished trace must not keep the span alive: to an
 * object that exists as long as the span may end, by itself, so that one object does for both.
 * Thread-safe.
 */
public class LocalRoot extends WeakReference<Object> {
  /** The result of {@link #add} after the collection has ended. */
  public static final int FROZEN = -1;

  private static final long NOT_OPEN = 0;

  // Times are ints, in units of 1.024 µs, and repeat after 73 minutes: they are taken for those
  // between 69 minutes ago and in four.
  private static final int TICK_BITS = 10;
  private static final int MAX_AHEAD = 1 << 28;

  // The number of users: the running span counts 1, each processor in which it waits counts 2.
  private static final int RUNNING = 1;
  private static final int WAITING = 2; // per processor

  private static final AtomicLongFieldUpdater<LocalRoot> SPAN_ID =
      AtomicLongFieldUpdater.newUpdater(LocalRoot.class, "spanId");
  private static final AtomicIntegerFieldUpdater<LocalRoot> USERS =
      AtomicIntegerFieldUpdater.newUpdater(LocalRoot.class, "users");
  private static final AtomicReferenceFieldUpdater<LocalRoot, @Nullable StackTraceIds> IDS =
      AtomicReferenceFieldUpdater.newUpdater(LocalRoot.class, StackTraceIds.class, "ids");

  private String traceIdDigits = "";
  private String spanIdDigits = "";
  private long traceIdHigh;
  private long traceIdLow;
  private volatile long spanId = NOT_OPEN; // written after the ids above
  private volatile int users = RUNNING;

  private int currentTick; // 0 before; not volatile: a late reader only judges wrong
  private int endedTick; // 0 before; not volatile: read by whom the span was handed to

  // Its content is guarded by the monitor. Most spans have no samples, and need no monitor.
  private volatile @Nullable StackTraceIds ids;

  /** The next entry in its bucket of the {@link LocalRootTable}, guarded by the table's lock. */
  @Nullable LocalRoot next;

  /** Creates the local root of a span that may end at any time. */
  public LocalRoot() {
    this(LocalRoot.class); // exists as long as this
  }

  LocalRoot(Object existsWhileSpanMayEnd) {
    super(existsWhileSpanMayEnd);
  }

  /** Creates the local root of a span that cannot end any more when this object is gone. */
  static LocalRoot create(Object existsWhileSpanMayEnd) {
    SpanTimes times = SpanTimes.taken();
    return times == null
        ? new LocalRoot(existsWhileSpanMayEnd)
        : new TimedLocalRoot(existsWhileSpanMayEnd, times);
  }

  /** Ends the times of the span with the first call, on the thread that ends the span. */
  public void endTimes() {}

  /** Returns the times of the ended span that are known exactly, as attributes. */
  public Attributes times(ReadableSpan span) {
    return Attributes.empty();
  }

  /**
   * Sets the ids of the span. The sampler creates this object before the span has an id.
   *
   * @return false if it already belongs to another span
   */
  boolean open(SpanContext span) {
    if (isOpen()) {
      return false;
    }
    traceIdDigits = span.getTraceId();
    spanIdDigits = span.getSpanId();
    traceIdHigh = HexIds.parseLong(traceIdDigits, 0);
    traceIdLow = HexIds.parseLong(traceIdDigits, 16);
    if (!span.isSampled()) {
      ids = StackTraceIds.NOT_SAMPLED;
    }
    SPAN_ID.lazySet(this, HexIds.parseLong(spanIdDigits, 0));
    return true;
  }

  /** Returns whether the ids of a span are set. */
  public boolean isOpen() {
    return spanId != NOT_OPEN;
  }

  /** Returns whether the span is exported, and so may have samples, if this is open. */
  public boolean isSampled() {
    return ids != StackTraceIds.NOT_SAMPLED;
  }

  /** Returns the first half of the trace id if this is open. */
  public long traceIdHigh() {
    return traceIdHigh;
  }

  /** Returns the second half of the trace id if this is open. */
  public long traceIdLow() {
    return traceIdLow;
  }

  /** Returns the id of the local root span, or 0 if this is not open. */
  public long spanId() {
    return spanId;
  }

  /** Returns whether a span belongs to this trace. Usually does so without comparing digits. */
  @SuppressWarnings("ReferenceEquality") // the SDK passes one object from span to child
  public boolean isOfTrace(SpanContext span) {
    String digits = span.getTraceId();
    return digits == traceIdDigits || digits.equals(traceIdDigits);
  }

  /** Returns whether the span has this trace id, even after {@link #disownSpansBelow}. */
  boolean hasTraceIdOf(SpanContext span) {
    String digits = span.getTraceId();
    return isOfTrace(span)
        || (HexIds.parseLong(digits, 16) == traceIdLow
            && HexIds.parseLong(digits, 0) == traceIdHigh);
  }

  /**
   * From now on, no span is of this trace. Must be called when the trace state has also reached
   * spans that are not below this local root: they look like those below.
   */
  void disownSpansBelow() {
    traceIdDigits = "";
  }

  /** Returns the id of a span. Only the local root span's is known without parsing digits. */
  @SuppressWarnings("ReferenceEquality") // other objects are parsed
  public long spanIdOf(SpanContext span) {
    String digits = span.getSpanId();
    return digits == spanIdDigits ? spanId : HexIds.parseLong(digits, 0);
  }

  /** Returns whether the span is this local root span. */
  boolean is(SpanContext span) {
    return spanIdOf(span) == spanId && isOfTrace(span);
  }

  boolean is(long traceIdHigh, long traceIdLow, long spanId) {
    return this.spanId == spanId
        && this.traceIdLow == traceIdLow
        && this.traceIdHigh == traceIdHigh;
  }

  /** Remembers when the span, or one below it, was first current on a thread. */
  public void setCurrent() {
    if (currentTick == 0) {
      currentTick = tick(System.nanoTime());
    }
  }

  /** Returns whether {@link #setCurrent} was called. */
  public boolean wasCurrent() {
    return currentTick != 0;
  }

  /** Returns the nanoseconds since the first {@link #setCurrent}. */
  public long nanosSinceCurrent() {
    long now = System.nanoTime();
    return now - nanos(currentTick, now);
  }

  /** Remembers when the span ended, unless that is known. Called before others get the span. */
  public void setEnded(long nanoTime) {
    if (endedTick == 0) {
      endedTick = tick(nanoTime + (1 << TICK_BITS) - 1);
    }
  }

  /**
   * Returns when the span ended, or up to two microseconds later.
   *
   * @param now up to 69 minutes after that, or four before
   */
  public long endedNanos(long now) {
    return nanos(endedTick, now);
  }

  private static int tick(long nanoTime) {
    int tick = (int) (nanoTime >> TICK_BITS);
    return tick == 0 ? 1 : tick;
  }

  private static long nanos(int tick, long now) {
    long latest = (now >> TICK_BITS) + MAX_AHEAD;
    return (latest - Integer.toUnsignedLong((int) latest - tick)) << TICK_BITS;
  }

  /**
   * Adds a processor in which the span waits, until {@link LocalRootSpans#release}.
   *
   * @return false if no user is left, so no samples will arrive
   */
  public boolean retain() {
    int before;
    do {
      before = users;
      if (before <= 0) {
        return false;
      }
    } while (!USERS.compareAndSet(this, before, before + WAITING));
    return true;
  }

  /** Undoes {@link #retain}. Returns true for the last user, and then drops the samples. */
  boolean release() {
    return remove(WAITING);
  }

  /** Returns whether no user is left, so {@link #retain} has no effect. */
  public boolean isDropped() {
    return users <= 0;
  }

  /**
   * Undoes {@link #retain} for a processor that now passes the span on. The last one in which the
   * span waits ends the collection.
   *
   * @param isEarly whether the span may yet wait in other processors, so the collection goes on
   */
  CollectedSamples leave(boolean isEarly) {
    // Most spans have no samples, and need no monitor.
    if (ids == null
        && (isEarly || !isOnlyWaiter() || IDS.compareAndSet(this, null, StackTraceIds.NONE))) {
      boolean unused = release();
      return CollectedSamples.NONE;
    }
    return leaveWithSamples(isEarly);
  }

  private boolean isOnlyWaiter() {
    return (users & ~RUNNING) == WAITING;
  }

  @SuppressWarnings("NullAway") // once set, ids is never null again
  private synchronized CollectedSamples leaveWithSamples(boolean isEarly) {
    if (!isEarly && isOnlyWaiter()) {
      List<String> unused = ids.freeze();
    }
    CollectedSamples collected = ids.collected();
    boolean unused = release();
    return collected;
  }

  /** Must be called when the span ends. Returns like {@link #release}. */
  boolean end() {
    return remove(RUNNING);
  }

  private boolean remove(int user) {
    int before;
    do {
      before = users;
      if (user == RUNNING ? (before & RUNNING) == 0 : before < WAITING) {
        return false;
      }
    } while (!USERS.compareAndSet(this, before, before - user));
    return before == user && drop();
  }

  /** Ends a span that still runs and does not wait yet. Otherwise returns false. */
  boolean endUnlessWaiting() {
    return USERS.compareAndSet(this, RUNNING, 0) && drop();
  }

  /** Ends a span that nobody can end any more. Otherwise returns false. */
  boolean endIfUnreachable() {
    return get() == null && endUnlessWaiting();
  }

  /** Returns whether the span waits in a processor. */
  boolean isWaiting() {
    return users >= WAITING;
  }

  private boolean drop() {
    dropSamples(); // spans and threads may refer to this object for a long time
    return true;
  }

  /**
   * Counts samples of one stack trace.
   *
   * @param max the maximum number of samples of the span
   * @return how many of {@code count} were added, or {@link #FROZEN} if the span accepts no samples
   *     because it has been passed on, or never will be
   */
  @SuppressWarnings("NullAway") // once set, ids is never null again
  public synchronized int add(long idHigh, long idLow, int count, int max) {
    if (ids == null) {
      IDS.compareAndSet(this, null, new StackTraceIds());
    }
    return isFrozen() ? FROZEN : ids.add(idHigh, idLow, count, max);
  }

  /**
   * Records that samples were taken, which will be added later.
   *
   * @return false if the span accepts no samples
   */
  public boolean expect() {
    return (ids == null && IDS.compareAndSet(this, null, new StackTraceIds())) || !isFrozen();
  }

  /** Returns whether samples were added or are expected, and can still be added. */
  public boolean isExpecting() {
    return ids != null && !isFrozen();
  }

  /** Ends the collection. Every call returns the same ids, so all exporters see the same. */
  @SuppressWarnings("NullAway") // once set, ids is never null again
  public List<String> freeze() {
    if (IDS.compareAndSet(this, null, StackTraceIds.NONE)) {
      return Collections.emptyList();
    }
    synchronized (this) {
      return ids.freeze();
    }
  }

  /** Returns the number of samples, including those whose ids exceeded the limit. */
  public synchronized long samples() {
    return ids == null ? 0 : ids.samples();
  }

  /** Returns whether the collection has ended or never existed. */
  public boolean isFrozen() {
    StackTraceIds collected = ids;
    return collected != null && collected.isFrozen();
  }

  /** Drops all samples, and accepts no more. */
  private void dropSamples() {
    if (isSampled() && !IDS.compareAndSet(this, null, StackTraceIds.NONE)) {
      synchronized (this) {
        ids = StackTraceIds.NONE;
      }
    }
  }
}
