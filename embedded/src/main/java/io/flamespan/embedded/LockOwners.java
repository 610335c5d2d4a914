/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.Work;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds who owns the locks of {@code java.util.concurrent} for which requests wait, by a look at
 * all followed threads now and then. What changes between two looks changes in the middle, unless
 * the thread turns to other work meanwhile. For one thread.
 */
final class LockOwners {
  /** Further waits are only counted, until the next ones are taken. */
  static final int MOST = JoinedWaits.MOST;

  /** A lock that the thread that creates it owns. */
  private static final class Owned extends AbstractOwnableSynchronizer {
    private static final long serialVersionUID = 1;

    Owned() {
      setExclusiveOwnerThread(Thread.currentThread());
    }
  }

  /** A wait for a lock, while the same thread owns it for the same request. */
  private static final class Wait {
    private final AbstractOwnableSynchronizer lock;
    private final Thread owner;
    private final Work work;
    private final @Nullable Work ownersWork; // null also if the owner is not followed
    private final boolean isOwnerFollowed;
    private final String threadName; // some programs rename threads for each request
    private final String ownersName;
    private long begin;
    private long end; // when it was seen last, until it has ended

    Wait(
        AbstractOwnableSynchronizer lock,
        Thread owner,
        Thread waiting,
        Work work,
        @Nullable WorkHistory ofOwner) {
      this.lock = lock;
      this.owner = owner;
      this.work = work;
      this.ownersWork = ofOwner == null ? null : ofOwner.current();
      this.isOwnerFollowed = ofOwner != null;
      this.threadName = waiting.getName();
      this.ownersName = owner.getName();
    }

    boolean isAlso(Wait other) {
      return lock == other.lock
          && owner == other.owner
          && work.isSame(other.work)
          && (ownersWork == other.ownersWork
              || (ownersWork != null && ownersWork.isSame(other.ownersWork)));
    }
  }

  private final Function<AbstractOwnableSynchronizer, @Nullable Thread> owners;
  private final StackTraceIds ids = new StackTraceIds();
  private final Map<String, StackTrace> stackTraces = new HashMap<>();
  private List<Wait> ended = new ArrayList<>();
  private Map<WorkHistory, Wait> waits = new HashMap<>();
  private @Nullable Thread lastOwner; // many threads may wait for one lock
  private @Nullable WorkHistory ofLastOwner;
  private long lastLook;
  private long leftOut;

  /**
   * Has not looked yet.
   *
   * @param owners returns the thread that owns a lock
   * @param now by {@link System#nanoTime()}
   */
  LockOwners(Function<AbstractOwnableSynchronizer, @Nullable Thread> owners, long now) {
    this.owners = owners;
    this.lastLook = now;
  }

  /** Returns whether owners can be told. */
  boolean areKnown() {
    return owners.apply(new Owned()) == Thread.currentThread();
  }

  /**
   * Looks at these threads.
   *
   * @param threads by the ids that the JVM gives them
   */
  void look(Map<Long, WorkHistory> threads, long now) {
    long middle = lastLook + (now - lastLook) / 2;
    lastLook = now;
    Map<WorkHistory, Wait> before = waits;
    waits = new HashMap<>();
    for (WorkHistory thread : threads.values()) {
      Wait found = find(thread, threads);
      if (found != null) {
        found.begin = Math.max(middle, thread.since());
        found.end = now;
        Wait known = before.get(thread);
        if (known != null && known.isAlso(found)) {
          found.begin = known.begin;
          before.remove(thread);
        }
        waits.put(thread, found);
      }
    }
    before.forEach(
        (thread, wait) ->
            end(wait, Math.min(middle, thread.until(Math.max(wait.begin, wait.end)))));
    lastOwner = null;
    ofLastOwner = null;
  }

  private @Nullable Wait find(WorkHistory history, Map<Long, WorkHistory> threads) {
    Thread waiting = history.thread;
    Object blocker = LockSupport.getBlocker(waiting);
    if (!(blocker instanceof AbstractOwnableSynchronizer)) {
      return null;
    }
    AbstractOwnableSynchronizer lock = (AbstractOwnableSynchronizer) blocker;
    Thread owner = owners.apply(lock);
    Work work = Work.ofSampled(history.current());
    if (owner == null || owner == waiting || work == null || work == Work.UNKNOWN) {
      return null;
    }
    if (owner != lastOwner) {
      lastOwner = owner;
      ofLastOwner = threads.get(ThreadIds.of(owner));
    }
    Wait found = new Wait(lock, owner, waiting, work, ofLastOwner);
    boolean isStill = LockSupport.getBlocker(waiting) == lock && owners.apply(lock) == owner;
    return isStill ? found : null; // otherwise, they may have turned to other work meanwhile
  }

  private void end(Wait wait, long end) {
    if (end <= wait.begin) {
      return;
    }
    if (ended.size() == MOST) {
      leftOut++;
      return;
    }
    wait.end = end;
    ended.add(wait);
  }

  /** Returns whether there were waits since the last call of {@link #takeSamples}. */
  boolean hasSamples() {
    return !ended.isEmpty() || !waits.isEmpty();
  }

  /** Returns how many waits had no room since the last call. */
  long takeLeftOut() {
    long taken = leftOut;
    leftOut = 0;
    return taken;
  }

  /**
   * Returns for how long there were waits since the last call.
   *
   * @param isWithoutWork whether it is known of a thread that is not followed that it has worked
   *     for no request
   * @param epochOffset what to add to a time by {@link System#nanoTime()} for that since the epoch
   */
  List<JoinedSample> takeSamples(LongPredicate isWithoutWork, long epochOffset) {
    List<Wait> taken = ended;
    ended = new ArrayList<>();
    List<JoinedSample> samples = new ArrayList<>();
    for (Wait wait : taken) {
      samples.add(sample(wait, isWithoutWork, epochOffset));
    }
    for (Wait wait : waits.values()) {
      if (wait.end > wait.begin) { // its work may have begun after the look has
        samples.add(sample(wait, isWithoutWork, epochOffset));
        wait.begin = wait.end; // the rest follows
      }
    }
    return samples;
  }

  private JoinedSample sample(Wait wait, LongPredicate isWithoutWork, long epochOffset) {
    boolean isKnown =
        wait.isOwnerFollowed
            || (wait.owner.isAlive() // otherwise, it may have been followed before
                && isWithoutWork.test(ThreadIds.of(wait.owner)));
    return new JoinedSample(
        SampleKind.HOLDER,
        wait.end - wait.begin,
        wait.begin + epochOffset,
        wait.threadName,
        stackTraces.computeIfAbsent(nameOf(wait.lock), this::stackTrace),
        wait.work,
        new Holder(isKnown ? wait.ownersWork : Work.UNKNOWN, wait.ownersName));
  }

  /** Those of the JDK are nested classes of what users know. */
  private static String nameOf(AbstractOwnableSynchronizer lock) {
    String name = lock.getClass().getName();
    int nested = name.indexOf('$', 1);
    return nested < 0 ? name : name.substring(0, nested);
  }

  private StackTrace stackTrace(String className) {
    return ids.identify(Collections.singletonList(Frame.ofClass(className)));
  }
}
