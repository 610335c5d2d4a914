/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.threads.DaemonThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds who held the monitors for which requests waited. The JVM tells the thread that had a
 * monitor when a wait ended; threads tell what they worked for. The collecting thread reads both;
 * threads may be followed by any.
 */
final class Holders {
  /** The shortest wait that is looked at. */
  static final long THRESHOLD_NANOS = 1_000_000;

  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** For how long is known which thread had a monitor, and what threads have worked for. */
  private static final long HISTORY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long LONGEST_WAIT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final int MOST_THREADS = 65_536;
  private static final int MOST_WAITS = 100; // of a monitor that are known
  private static final int MOST_SAMPLES = 20_000; // in an interval
  private static final long CLOCK_WAS_SET = 1_000_000;

  /** A wait, or a part of one, and who had the monitor. */
  private static final class Part {
    final Holder holder;
    long begin;
    long nanos;

    Part(Holder holder) {
      this.holder = holder;
    }
  }

  /** The waits for a monitor, of which the last ones that have ended are known. */
  private static final class Monitor {
    final Deque<MonitorWait> lastFirst = new ArrayDeque<>();
    long knownSince = Long.MIN_VALUE;

    void add(MonitorWait wait) {
      lastFirst.addFirst(wait);
      if (lastFirst.size() > MOST_WAITS) {
        forgetFirst();
      }
    }

    void forgetUntil(long time) {
      while (!lastFirst.isEmpty() && lastFirst.getLast().end < time) {
        forgetFirst();
      }
    }

    private void forgetFirst() {
      knownSince = lastFirst.removeLast().end;
    }
  }

  private static final Holder NOBODY_KNOWN = new Holder(null, "");

  private final RateLimitedLogger logger = new RateLimitedLogger(Holders.class);
  private final Map<Long, WorkHistory> threads = new ConcurrentHashMap<>();
  private final Map<Long, Monitor> monitors = new HashMap<>();
  private final StackTraceIds ids = new StackTraceIds();
  private final Map<String, StackTrace> stackTraces = new HashMap<>();
  private @Nullable MonitorRecording recording; // guarded by this
  private boolean hasEnded; // guarded by this
  private volatile boolean hasFailed;
  private long lastRead = System.nanoTime();
  private long lastOffset;

  /**
   * Begins, on a thread that ends when the JVM records. Returns null after a warning if it cannot.
   */
  static @Nullable Holders begin() {
    String problem = MonitorRecording.problem();
    if (problem != null) {
      areNotKnown(problem);
      return null;
    }
    Holders begun = new Holders();
    DaemonThread.create(begun::record, "flamespan-holders").start();
    return begun;
  }

  private static void areNotKnown(String reason) {
    Trouble.warn(
        Holders.class,
        "It is not known who held a lock: "
            + reason
            + ". Change that, or remove holders from "
            + Settings.EMBEDDED_PROFILER_EVENTS);
  }

  private void record() {
    try {
      MonitorRecording started = new MonitorRecording(THRESHOLD_NANOS);
      synchronized (this) {
        if (!hasEnded) {
          recording = started;
          return;
        }
      }
      started.close();
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      fail(e);
    }
  }

  private void fail(Throwable e) {
    hasFailed = true;
    threads.clear();
    areNotKnown(MonitorRecording.reason(e));
  }

  /** Follows the calling thread. Returns null if that is of no use. */
  @Nullable WorkHistory follow(Supplier<@Nullable Work> current) {
    Thread thread = Thread.currentThread();
    long id = ThreadIds.of(thread);
    if (hasFailed || id == ThreadIds.UNKNOWN || threads.size() >= MOST_THREADS) {
      return null;
    }
    WorkHistory known = threads.get(id);
    if (known == null) {
      known = new WorkHistory(thread, current, System.nanoTime());
      threads.put(id, known);
    } else {
      known.ask(current);
    }
    return known;
  }

  /** Returns the waits that have ended since the last call, if it is time for that. */
  List<JoinedSample> take() {
    return System.nanoTime() - lastRead < INTERVAL_NANOS ? new ArrayList<>() : read();
  }

  private synchronized List<JoinedSample> read() {
    lastRead = System.nanoTime();
    MonitorRecording started = recording;
    if (started == null) {
      return new ArrayList<>();
    }
    threads.values().forEach(WorkHistory::lookWhetherAlive); // a later one may hold a monitor yet
    long offset = epochOffset();
    List<MonitorWait> waits = new ArrayList<>();
    long error = 0;
    try {
      for (ByteBuffer chunk : started.read()) {
        MonitorWaits ofChunk = new MonitorWaits(chunk, offset);
        waits.addAll(ofChunk.found);
        error = Math.max(error, ofChunk.error);
      }
    } catch (IOException | ReflectiveOperationException | RuntimeException e) {
      logger.warn("Who held locks in the last seconds is lost: " + MonitorRecording.reason(e));
    }
    if (started.wereSomeTooLarge()) {
      logger.warn(
          "Who held locks in the last seconds is lost, because other recordings of the Flight"
              + " Recorder have more than "
              + (MonitorRecording.MAX_CHUNK >> 20)
              + " MB of events: let these record less");
    }
    boolean wasClockSet = lastOffset != 0 && Math.abs(offset - lastOffset) > CLOCK_WAS_SET;
    lastOffset = offset;
    List<JoinedSample> samples = new ArrayList<>();
    if (wasClockSet) {
      monitors.clear(); // the times of these waits are wrong
    } else {
      threads.values().forEach(WorkHistory::readCurrent);
      waits.sort((a, b) -> Long.compare(a.end, b.end));
      for (MonitorWait wait : waits) {
        add(wait, error, samples);
      }
    }
    forget(lastRead - HISTORY_NANOS);
    return samples;
  }

  /** Returns what to add to {@link System#nanoTime()} for the time since the epoch. */
  private static long epochOffset() {
    long offset = 0;
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) { // one of them is not interrupted
      long before = System.nanoTime();
      Instant now = Instant.now();
      long took = System.nanoTime() - before;
      if (took < shortest) {
        shortest = took;
        offset = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - before - took / 2;
      }
    }
    return offset;
  }

  /** Divides a wait where threads that also waited for the monitor got it meanwhile. */
  private void add(MonitorWait wait, long error, List<JoinedSample> samples) {
    Monitor monitor = monitors.computeIfAbsent(wait.monitor, added -> new Monitor());
    monitor.add(wait);
    WorkHistory waiting = threads.get(wait.threadId);
    Work work =
        waiting == null
            ? null
            : waiting.ofMost(wait.begin - error, wait.end + error, WorkHistory::same);
    if (work == null || work == Work.UNKNOWN) {
      return;
    }
    if (samples.size() >= MOST_SAMPLES) {
      logger.warn(
          "Who held locks in the last seconds is not known of all waits: there were too many");
      return;
    }
    List<Part> parts = new ArrayList<>();
    Iterator<MonitorWait> earlier = monitor.lastFirst.iterator();
    MonitorWait next = earlier.next();
    while (next != null && next.end > wait.begin) {
      MonitorWait before = earlier.hasNext() ? earlier.next() : null;
      long begin = Math.max(before == null ? monitor.knownSince : before.end, wait.begin);
      add(parts, holder(next, begin, error), begin, next.end);
      if (before == null && begin > wait.begin) {
        add(parts, NOBODY_KNOWN, wait.begin, begin);
      }
      next = before;
    }
    mergeShort(parts);
    for (Part part : parts) {
      samples.add(
          new JoinedSample(
              SampleKind.HOLDER,
              part.nanos,
              wait.epochNanos + part.begin - wait.begin,
              wait.threadName,
              stackTrace(wait.monitorClass),
              work,
              part.holder));
    }
  }

  private static void add(List<Part> parts, Holder holder, long begin, long end) {
    Part part = part(parts, holder);
    part.begin = begin; // the last ones come first
    part.nanos += end - begin;
  }

  /** Many that hold a monitor for a short time each would have too many samples. */
  private static void mergeShort(List<Part> parts) {
    List<Part> shortOnes = new ArrayList<>();
    for (Part part : parts) {
      if (part.nanos < THRESHOLD_NANOS) {
        shortOnes.add(part);
      }
    }
    if (shortOnes.size() > 1) {
      parts.removeAll(shortOnes);
      for (Part part : shortOnes) {
        Part others = part(parts, NOBODY_KNOWN);
        others.begin = others.nanos == 0 ? part.begin : Math.min(others.begin, part.begin);
        others.nanos += part.nanos;
      }
    }
  }

  /** Returns who had the monitor from a time to the end of a wait. */
  private Holder holder(MonitorWait wait, long begin, long error) {
    WorkHistory holding = threads.get(wait.holderId);
    Work work =
        holding == null
            ? null
            : holding.ofMost(begin - error, wait.end + error, WorkHistory::sameRequest);
    return new Holder(work == Work.UNKNOWN ? null : work, wait.holderName);
  }

  private static Part part(List<Part> parts, Holder holder) {
    for (Part part : parts) {
      if (part.holder.threadName.equals(holder.threadName)
          && WorkHistory.sameRequest(part.holder.work, holder.work)) {
        return part;
      }
    }
    Part added = new Part(holder);
    parts.add(added);
    return added;
  }

  private StackTrace stackTrace(String monitorClass) {
    return stackTraces.computeIfAbsent(
        monitorClass,
        unknown ->
            ids.identify(
                unknown.isEmpty()
                    ? Collections.emptyList()
                    : Collections.singletonList(Frame.ofClass(unknown))));
  }

  private void forget(long time) {
    monitors.values().forEach(monitor -> monitor.forgetUntil(time));
    monitors
        .values()
        .removeIf(
            monitor ->
                monitor.lastFirst.isEmpty() && monitor.knownSince < time - LONGEST_WAIT_NANOS);
    threads.values().removeIf(thread -> !thread.wasAlive());
    threads.values().forEach(thread -> thread.forgetUntil(time));
  }

  /** Ends, and returns the waits that have ended since the last call. */
  List<JoinedSample> end() throws ReflectiveOperationException {
    List<JoinedSample> last = read();
    MonitorRecording ended;
    synchronized (this) {
      hasEnded = true;
      ended = recording;
      recording = null;
    }
    if (ended != null) {
      ended.close();
    }
    threads.clear();
    return last;
  }

  /** Returns in words what it finds, to follow a comma. */
  @Override
  public String toString() {
    return ", who held monitors for 1 ms or more of waiting";
  }
}
