/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.pace;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the next due span may leave now. Spans that become due one after the other may.
 * Where many are due at once, at a flush, a shutdown, after a pause of the JVM or a burst of ends,
 * the processor must not be given more than it takes. What that is, is seen: each delayed span
 * reports when the processor reads it.
 *
 * <ul>
 *   <li><b>The clock.</b> A span's turn comes as long after the previous one as their ends were
 *       apart, a little less, which makes up for pauses, and ten milliseconds at most, or two
 *       during a flush. So the processor sees what it would see without the plug-in.
 *   <li><b>A processor that reads on another thread</b> has a queue, see {@link Readers}. As many
 *       spans as it was seen to hold, or a quarter of the queue's size in the settings, may be in
 *       there, and need not wait for the clock. The next ones wait until it has read some, or take
 *       their turns again, but slowly, after a second. During a flush, it is flushed if it does not
 *       read by itself.
 *   <li><b>A processor that has read nothing</b> gets spans in their turn. During a flush, it is
 *       given twice as many each time it was flushed and has still read none.
 *   <li><b>A processor that reads within {@code onEnd}</b> may still be exporting what it has read.
 *       During a flush, two exports may be open. Then its own {@code forceFlush} says when they
 *       have ended, and so how long they take.
 * </ul>
 *
 * One thread at a time may call it, except for {@link #whenRead} and {@link #isPushing}.
 */
public final class Pace {
  /** How soon to ask again while spans are due that may not leave yet. */
  public static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final long PORTION_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long after the end of a flush a processor may still return its result. */
  public static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long FLUSH_NANOS = TimeUnit.SECONDS.toNanos(10);

  // Of a processor that has read nothing yet. It hardly has a queue for fewer spans, and none for
  // more.
  private static final int SOME = 64;
  private static final int ALL = 8_192;
  // How many leave in ten milliseconds then, and of one that has a queue and has stopped reading.
  private static final int BURST = 100;
  private static final int STUCK = 10;

  // OkHttp has five threads for a server and refuses a call if all are busy. A thread is busy for a
  // moment after its export has ended.
  private static final int EXPORTS = 2;
  // One may never end. If CPUs are busy, one may take seconds.
  private static final long EXPORT_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);
  // After this many times as long as they took, exports have ended without being asked for.
  private static final int EXPORT_MARGIN = 10;
  // After the second flush without effect, what was given is not there: a processor may return the
  // result of a flush that began before.
  private static final int PUSHES = 2;

  // Of spans that have many. With the ids of one more span and of 512 others, a request has 3.1 MB
  // of ids. Many receivers accept 4 MB.
  private static final int MAX_IDS = 32_768;
  private static final int MANY_IDS = 128;

  /** Is told the number of each span that the processor reads, on any thread. */
  public final LongConsumer whenRead = this::wasRead;

  private final Supplier<CompletableResultCode> flush;
  private final LongSupplier nanoClock;
  private final int known; // how many may be out before any was read, or 0
  private final Readers readers;
  private final Readers.Seen seen = new Readers.Seen(); // at the begin of the round
  // During onEnd. Not volatile: it matters only to the thread that has written it.
  private @Nullable Thread giver;
  private volatile boolean readsInOnEnd;

  private long asked; // when spans were last asked for
  private boolean begun;
  private long lastEnd;
  private long lastTurn;
  private long maxApart = PORTION_NANOS; // of two turns
  private long portionBegan;
  private long portion; // what may leave since then without its turn
  private int inPortion; // given since it began
  private long read; // the number of the last span that counts as read
  // Since the processor last read some, or was given one and had none. A round that comes late
  // counts little: if this thread gets no CPU, the processor's may get none either.
  private long waited;
  private long roundBegan;
  private int exports; // given since all had ended, or should have
  private long exportsSince;
  private long exportNanos = Long.MAX_VALUE; // how long two of them took
  private long idsOut; // since all had been exported
  private long unread; // what a processor took during flushes that has never read any

  private volatile @Nullable CompletableResultCode push;
  private long pushNanos; // when it began or, later, when it was found to have ended
  private boolean pushEnded;
  private int pushes; // since a span was given or read

  /**
   * Creates a pace for a processor of which nothing was seen.
   *
   * @param flush flushes the processor; must not throw
   * @param nanoClock returns the time like {@link System#nanoTime()}
   * @param queueSize the size of its queue according to the settings, or 0
   */
  public Pace(Supplier<CompletableResultCode> flush, LongSupplier nanoClock, int queueSize) {
    this.flush = flush;
    this.nanoClock = nanoClock;
    this.known = queueSize == 0 ? 0 : Math.max(1, queueSize / 4);
    long now = nanoClock.getAsLong();
    this.readers = new Readers(now);
    this.portionBegan = now - PORTION_NANOS;
    this.exportsSince = now;
    this.roundBegan = now;
  }

  private void wasRead(long number) {
    if (Thread.currentThread() != giver) {
      readers.read(number);
    } else if (!readsInOnEnd) {
      readsInOnEnd = true;
    }
  }

  private boolean hasQueue() {
    return !readsInOnEnd && limit() > 0;
  }

  private boolean hasReadNothing() {
    return !readsInOnEnd && seen.limit == 0;
  }

  private long limit() {
    return Math.max(known, seen.limit);
  }

  /** The limit, or more during flushes of a processor that reads nothing. */
  private long limitOfFlush() {
    return hasReadNothing() ? Math.max(limit(), unread) : limit();
  }

  private long out() {
    return readers.given() - read;
  }

  /** Called before spans are asked for. */
  public void beginRound() {
    long now = nanoClock.getAsLong();
    asked = now;
    waited += Math.min(now - roundBegan, maxApart);
    roundBegan = now;
    readers.observe(now, seen);
    if (seen.read > read) {
      read = seen.read;
      waited = 0;
      pushes = 0;
    }
    if (now - portionBegan >= PORTION_NANOS) {
      portionBegan = now;
      portion = limitOfFlush() - out();
      inPortion = 0;
    }
    if (now - exportsSince >= exportNanos && (push == null || push.isDone())) {
      exports = 0;
      exportsSince = now;
    }
  }

  /**
   * Decides about the next due span.
   *
   * @param endNanos its end
   * @param flushing whether somebody waits until it has left
   * @return 0 if it may leave, or the nanoseconds after which to ask again
   */
  public long waitFor(long endNanos, boolean flushing) {
    long now = nanoClock.getAsLong();
    asked = now;
    if (idsOut >= MAX_IDS && waited < FLUSH_NANOS && !isExported(now)) {
      return TICK_NANOS;
    }
    maxApart = flushing ? 2 * TICK_NANOS : PORTION_NANOS;
    long untilTurn = turn(endNanos, now) - now;
    boolean isTurn = untilTurn <= 0;
    boolean isStuck = waited >= PATIENCE_NANOS;
    boolean mayLeave;
    if (readsInOnEnd) {
      mayLeave = flushing ? mayExport(now, isTurn) : isTurn;
    } else if (hasReadNothing() && !flushing) {
      mayLeave =
          (isTurn && (out() < SOME || inPortion < BURST || out() >= ALL))
              || (out() < known && portion > 0);
    } else {
      mayLeave = mayEnterQueue(now, isTurn, isStuck, flushing);
    }
    if (mayLeave) {
      return 0;
    }
    if (flushing) {
      return TICK_NANOS;
    }
    return Math.max(TICK_NANOS, isTurn ? portionBegan + PORTION_NANOS - now : untilTurn);
  }

  private boolean mayExport(long now, boolean isTurn) {
    return exports < EXPORTS
        || isExported(now)
        || (isTurn && inPortion < EXPORTS && waited >= EXPORT_PATIENCE_NANOS);
  }

  private boolean mayEnterQueue(long now, boolean isTurn, boolean isStuck, boolean flushing) {
    long out = out();
    long some = known == 0 ? SOME : known;
    long limit = flushing ? limitOfFlush() : limit();
    boolean hasRoom = out < limit;
    if (hasRoom && (portion > 0 || isTurn)) {
      return true;
    }
    if (isTurn && (out < some || (isStuck && inPortion < STUCK))) {
      return true;
    }
    if (flushing && out >= Math.max(some, limit) && !isStuck && isQuiet(now)) {
      push(now);
    }
    return false;
  }

  /** Returns when it is a span's turn, according to the previous one. */
  private long turn(long endNanos, long now) {
    if (!begun) {
      return now;
    }
    long apart = Math.max(0, Math.min(maxApart, endNanos - lastEnd));
    return lastTurn + apart - apart / 8;
  }

  /**
   * Records that the processor is about to be given the next span.
   *
   * @param endNanos its end
   * @param ids the number of its stack trace ids
   * @return its number, for {@link #whenRead}
   */
  public long give(long endNanos, int ids) {
    long now = asked;
    // Some credit, because a thread never wakes up in time.
    long late = Math.max(0, Math.min(credit(), now - turn(endNanos, now)));
    lastTurn = now - late;
    lastEnd = endNanos;
    begun = true;
    if (readsInOnEnd ? exports == 0 : out() == 0) {
      waited = 0;
    }
    if (exports == 0) {
      exportsSince = now;
    }
    portion--;
    inPortion++;
    exports++;
    pushes = 0;
    if (ids > MANY_IDS) {
      idsOut += ids;
    }
    giver = Thread.currentThread();
    return readers.give();
  }

  /** While nothing was read, spans leave together that became due in one round. */
  private long credit() {
    return readsInOnEnd || seen.limit > 0 ? TICK_NANOS : PORTION_NANOS;
  }

  /** Records that the processor has returned. */
  public void gave() {
    giver = null;
  }

  /** Begins a flush of the processor, so that it reads what it has. */
  private CompletableResultCode push(long now) {
    if (pushes++ == PUSHES) {
      read = readers.given();
      if (hasReadNothing() && pushEnded) {
        unread = Math.min(2 * Math.max(limitOfFlush(), SOME), ALL);
        portion = unread;
      }
    }
    CompletableResultCode begins = flush.get();
    push = begins;
    pushNanos = now;
    pushEnded = false;
    return begins;
  }

  /** Returns whether all that was given has been exported, after a flush that began afterwards. */
  private boolean isExported(long now) {
    CompletableResultCode last = push;
    if (readsInOnEnd) {
      // A new flush each time: a result that the SDK combined while an export ended never
      // completes.
      last = push(now);
    } else if (pushes == 0) {
      if (!isQuiet(now)) {
        return false;
      }
      last = push(now);
    }
    if (last != null && !last.isDone()) {
      return false;
    }
    if (readsInOnEnd) {
      push = null; // nothing was under way
    }
    exportNanos = EXPORT_MARGIN * Math.max(TICK_NANOS, now - exportsSince);
    exports = 0;
    idsOut = 0;
    waited = 0;
    return true;
  }

  /**
   * Returns whether no push is under way or has just ended: until some time after its end, the
   * processor may answer a flush with its result, which leaves out spans that came meanwhile.
   */
  public boolean isQuiet(long now) {
    CompletableResultCode last = push;
    if (last == null) {
      return true;
    }
    if (readsInOnEnd && !last.isDone()) {
      if (waited >= PATIENCE_NANOS) {
        push = null;
        return true;
      }
      last = push(now);
    }
    if (!pushEnded && last.isDone()) {
      pushEnded = true;
      pushNanos = now;
    }
    if (now - pushNanos < (pushEnded ? SETTLE_NANOS : FLUSH_NANOS)) {
      return false;
    }
    push = null;
    return true;
  }

  /** Returns whether a flush may be answered with the result of a push. Any thread may ask. */
  public boolean isPushing() {
    return push != null;
  }

  /**
   * Returns whether a shutdown of the processor would include all that it was given. If not, makes
   * it read that, and is asked again.
   */
  public boolean hasTakenAll(long now) {
    if (!isQuiet(now)) {
      return false;
    }
    if (!hasQueue() || out() == 0 || pushes >= PUSHES) {
      return true;
    }
    push(now);
    return false;
  }
}
