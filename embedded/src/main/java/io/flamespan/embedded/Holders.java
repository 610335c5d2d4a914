/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Step;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import io.flamespan.correlation.internal.threads.DaemonThread;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * Finds who held the locks for which requests waited. The JVM tells the thread that had a monitor
 * last when a wait ended, other locks know their owner, and threads tell what they work for. Two
 * threads read that; any thread may be followed, and may call the other methods.
 */
final class Holders {
  /** The shortest wait that is looked at. */
  static final long THRESHOLD_NANOS = 1_000_000;

  private static final long INTERVAL_MILLIS = 30_000;
  private static final long FIRST_MILLIS = 1_000; // for the ticks of the next one to be known

  /** By how much times may be wrong at least. Up to JDK 13, some are whole milliseconds. */
  private static final long ERROR_NANOS = JavaVersion.OF_PROCESS < 14 ? 2_500_000 : 500_000;

  private static final long LOOK_NANOS = 10_000_000;
  private static final long TIMES_A_LOOK = 100; // so that looks take at most 1 % of a CPU
  private static final long LONGEST_NANOS = 250_000_000; // as a look may also be interrupted
  private static final long TELL_NANOS = 1_000_000_000;
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long END_MILLIS = 5_000;
  private static final int MOST_THREADS = 16_384; // those that have ended are in it until a read

  private final RateLimitedLogger failures = new RateLimitedLogger(Holders.class);
  private final RateLimitedLogger ownerFailures = new RateLimitedLogger(Holders.class);
  private final Map<Long, WorkHistory> threads = new ConcurrentHashMap<>();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread = DaemonThread.create(this::run, "flamespan-holders");
  private final Thread looking = DaemonThread.create(this::lookForOwners, "flamespan-lock-owners");
  private final LockOwners owners = new LockOwners(NativeLibrary::lockOwner, System.nanoTime());
  private final boolean areOwnersKnown = owners.areKnown();
  private long lookNanos = LOOK_NANOS; // until the next look
  private final long periodNanos;
  private final BooleanSupplier someAreNotFollowed;
  private volatile boolean someAreNot;
  private volatile boolean hasEnded;
  private long lastOffset = epochOffset(); // used by the thread only
  private long lastJump; // likewise: the ticks of the next chunk are measured over it, too

  private Holders(long periodNanos, BooleanSupplier someAreNotFollowed) {
    this.periodNanos = periodNanos;
    this.someAreNotFollowed = someAreNotFollowed;
  }

  /**
   * Begins, on a thread that ends with this. Returns null, after a warning, if the JVM cannot tell.
   *
   * @param periodNanos the period of other samples, for listeners
   * @param someAreNotFollowed returns whether {@link #follow} is not called by all threads
   */
  static @Nullable Holders begin(long periodNanos, BooleanSupplier someAreNotFollowed) {
    if (!MonitorRecording.canBe()) {
      areNotKnown("this Java has no module jdk.jfr. Use another one");
      return null;
    }
    Holders begun = new Holders(periodNanos, someAreNotFollowed);
    begun.thread.start();
    return begun;
  }

  private static void areNotKnown(String reason) {
    Trouble.warn(
        Holders.class,
        "It is not known who holds locks: "
            + reason
            + ", or remove holders from "
            + Settings.EMBEDDED_PROFILER_EVENTS);
  }

  /** Follows the calling thread. Returns null if that is of no use. */
  @Nullable WorkHistory follow(Supplier<@Nullable Work> current) {
    Thread followed = Thread.currentThread();
    long id = ThreadIds.of(followed);
    if (hasEnded || id == ThreadIds.UNKNOWN || threads.size() >= MOST_THREADS) {
      someAreNot = true;
      return null;
    }
    WorkHistory known = threads.get(id);
    if (known == null) {
      known = new WorkHistory(followed, current, System.nanoTime());
      threads.put(id, known);
    } else {
      known.ask(current);
    }
    if (hasEnded) { // meanwhile
      forgetAll();
    }
    return known;
  }

  private void run() {
    Thread.currentThread().setContextClassLoader(null); // as the Flight Recorder's threads inherit
    Step look = looking::start;
    Throwable notStarted = areOwnersKnown ? look.failure() : null;
    if (notStarted != null) {
      ownerFailures.warn("It is not known who owns locks", notStarted);
    }
    Step record = this::record;
    Throwable failure = record.failure();
    if (stopped.getCount() > 0) {
      forgetAll();
    }
    if (failure != null) {
      warn(failure + ". Change that");
    }
  }

  private void lookForOwners() {
    try {
      lookUntilEnd();
    } catch (InterruptedException e) {
      // Nobody has a reason to interrupt the thread, unless it shall end.
    }
  }

  private void lookUntilEnd() throws InterruptedException {
    Step look = this::look;
    Step tell = this::tellOfOwners;
    long told = System.nanoTime();
    for (boolean isLast = false; !isLast; ) {
      isLast = stopped.await(lookNanos, TimeUnit.NANOSECONDS) || hasEnded;
      warnOfOwners(look.failure());
      if (isLast || System.nanoTime() - told >= TELL_NANOS) {
        told = System.nanoTime();
        warnOfOwners(tell.failure());
      }
    }
  }

  private void warnOfOwners(@Nullable Throwable failure) {
    if (failure != null && !isJvmExiting()) {
      ownerFailures.warn("Who owned locks in the last second is lost", failure);
    }
  }

  private void look() {
    long begin = System.nanoTime();
    owners.look(threads, begin);
    long took = System.nanoTime() - begin;
    lookNanos = Math.min(LONGEST_NANOS, Math.max(LOOK_NANOS, TIMES_A_LOOK * took));
  }

  private void tellOfOwners() {
    long leftOut = owners.takeLeftOut();
    if (leftOut > 0) {
      ownerFailures.warn(
          "Who owned locks is not known of "
              + leftOut
              + " waits of the last second, because there were more than "
              + LockOwners.MOST);
    }
    if (owners.hasSamples()) {
      List<JoinedSample> samples = owners.takeSamples(isWithoutWork(), epochOffset());
      if (!hasEnded) {
        EmbeddedAsyncProfiler.tellListeners(samples, periodNanos);
      }
    }
  }

  private static void warn(String reason) {
    if (!isJvmExiting()) { // which stops all recordings
      areNotKnown(reason);
    }
  }

  private void record() throws IOException, ReflectiveOperationException, InterruptedException {
    try (MonitorRecording recording = new MonitorRecording(THRESHOLD_NANOS)) {
      tellOthers(recording.others());
      Step read = () -> read(recording);
      long interval = FIRST_MILLIS;
      for (boolean isLast = false; !isLast; interval = INTERVAL_MILLIS) {
        isLast = stopped.await(interval, TimeUnit.MILLISECONDS);
        if (!recording.runs()) {
          warn(
              "somebody has stopped the recording "
                  + MonitorRecording.NAME
                  + " of the Flight Recorder. Start the application again and leave that alone");
          return;
        }
        MonitorRecording.checkRoom();
        Throwable failure = read.failure();
        if (failure != null && !isJvmExiting()) {
          failures.warn("Who held locks in the last 30 s is lost", failure);
        }
      }
    }
  }

  private static void tellOthers(List<String> others) {
    if (!others.isEmpty()) {
      Trouble.log(
          Holders.class,
          Level.INFO,
          "Other recordings of the Flight Recorder get waits for monitors from 1 ms on, too, while"
              + " it is looked who held locks: "
              + String.join(", ", others));
    }
  }

  private static boolean isJvmExiting() {
    Thread none = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(none);
      return !Runtime.getRuntime().removeShutdownHook(none);
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private void read(MonitorRecording recording) throws IOException {
    Set<WorkHistory> ended = new HashSet<>(threads.values()); // of others, later waits may follow
    ended.removeIf(one -> one.thread.isAlive());
    long begin = System.nanoTime();
    long offset = epochOffset();
    long jump = Math.abs(offset - lastOffset); // large if the clock was set
    long error = ERROR_NANOS + jump + lastJump;
    lastOffset = offset;
    lastJump = jump;
    JoinedWaits waits = new JoinedWaits(threads, isWithoutWork(), offset, error);
    try {
      int tooLarge =
          recording.read((chunk, tick) -> new MonitorWaits(chunk, tick).forEach(waits::add));
      if (tooLarge > 0) {
        failures.warn(
            "Who held locks in the last 30 s is lost, because another recording of the Flight"
                + " Recorder has more than 16 MB of events at once: let it record less");
      }
      if (waits.leftOut > 0) {
        failures.warn(
            "Who held locks is not known of "
                + waits.leftOut
                + " waits of the last 30 s, because"
                + " there were more than "
                + JoinedWaits.MOST);
      }
    } finally {
      threads.values().removeAll(ended);
      threads.values().forEach(one -> one.forgetUntil(begin - KEPT_NANOS));
      if (!waits.samples.isEmpty() && !hasEnded) {
        EmbeddedAsyncProfiler.tellListeners(waits.samples, periodNanos);
      }
    }
  }

  /** Tells of a thread that is not followed whether that is because it has never had a span. */
  private LongPredicate isWithoutWork() {
    if (someAreNot || someAreNotFollowed.getAsBoolean()) {
      return id -> false;
    }
    if (JavaVersion.OF_PROCESS < 21) {
      return id -> true;
    }
    ThreadGroup all = Thread.currentThread().getThreadGroup();
    while (all.getParent() != null) {
      all = all.getParent();
    }
    Thread[] living = new Thread[2 * all.activeCount()]; // without virtual threads
    int count = all.enumerate(living);
    Set<Long> ids = new HashSet<>();
    for (int i = 0; i < count; i++) {
      ids.add(ThreadIds.of(living[i]));
    }
    return ids::contains;
  }

  /** Returns what to add to {@link System#nanoTime()} for the time since the epoch. */
  private static long epochOffset() {
    long offset = 0;
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) { // one of them is not interrupted
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

  private void forgetAll() {
    hasEnded = true;
    threads.values().forEach(WorkHistory::end);
    threads.clear();
  }

  /** Reads for the last time, and ends. If that takes too long, what it finds is lost. */
  void end() {
    stopped.countDown();
    long begin = System.nanoTime();
    boolean unused = DaemonThread.awaitEnd(thread, END_MILLIS);
    long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    unused = DaemonThread.awaitEnd(looking, Math.max(1, END_MILLIS - passed)); // 0 is for ever
    forgetAll();
  }

  /** Returns in words what it finds. */
  @Override
  public String toString() {
    return "who held monitors for which spans waited for 1 ms or more"
        + (areOwnersKnown
            ? ", who owns other locks, every 10 ms"
            : ", but not who owns other locks");
  }
}
