/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.CarrierReport;
import io.flamespan.correlation.internal.embedded.EmbeddedCounts;
import io.flamespan.correlation.internal.embedded.SampleReceiver;
import io.flamespan.correlation.internal.embedded.Wait;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.log.Trouble;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Joins samples with what their threads worked for: a sample belongs to the first report of its
 * thread at its time or later, or else to what is current. Used by one thread at a time; any thread
 * may read the counts.
 */
final class Join {
  /** Lets async-profiler write what it has sampled. */
  interface Dump {
    /** Returns what was sampled since the last dump, or null if there was nothing. */
    @Nullable Chunks write() throws IOException;
  }

  /**
   * From JDK 24 on, a virtual thread leaves its carrier while it waits for a monitor, so
   * async-profiler may have the begin of another wait.
   */
  private static final boolean WAITING_VIRTUAL_THREADS_UNMOUNT = JavaVersion.OF_PROCESS >= 24;

  private static final Set<SampleKind> OF_WALL_CLOCK =
      EnumSet.of(SampleKind.WALL, SampleKind.RUNNABLE);

  /** The type of a frame of which nobody says how it was compiled. */
  private static final String JAVA = "Interpreted";

  private static final String VIRTUAL_THREAD = "java.lang.VirtualThread";

  /** What the stack of a platform thread has there. */
  private static final Frame MONITOR = new Frame("libjvm.so", "ObjectMonitor::enter", 0, "C++");

  private static final int MIN_BROKEN = 20;
  private static final double MAX_BROKEN = 0.01; // of all

  private final FollowedThreads threads;
  private final FollowedCarriers carriers;
  private final SampleReceiver receiver;
  private final long periodNanos;
  private final WallClock wallClock;
  private final AtomicLong joined = new AtomicLong();
  private final AtomicLong broken = new AtomicLong();
  private final AtomicLong notSampled = new AtomicLong();
  private final AtomicLong withoutSpan = new AtomicLong();
  private final AtomicLong unjoined = new AtomicLong();
  private final AtomicLong unjoinedVirtual = new AtomicLong();
  private final AtomicLong lostWaits = new AtomicLong();
  private final StackTraceIds ids = new StackTraceIds();
  private long epochOffset; // of the last chunk
  private volatile boolean isAbandoned;
  private boolean warned;

  Join(
      FollowedThreads threads,
      FollowedCarriers carriers,
      SampleReceiver receiver,
      long periodNanos) {
    this.periodNanos = periodNanos;
    this.wallClock = new WallClock(periodNanos);
    this.threads = threads;
    this.carriers = carriers;
    this.receiver = receiver;
  }

  /** From now on, nothing is known of what threads work for. For any thread. */
  void abandon() {
    isAbandoned = true;
  }

  /** Returns the counts that it knows. */
  EmbeddedCounts counts() {
    EmbeddedCounts counts = new EmbeddedCounts();
    counts.joined = joined.get();
    counts.broken = broken.get();
    counts.notSampled = notSampled.get();
    counts.withoutSpan = withoutSpan.get();
    counts.unjoined = unjoined.get();
    counts.unjoinedVirtual = unjoinedVirtual.get();
    counts.skipped = lostWaits.get();
    counts.samples =
        counts.joined + counts.broken + counts.notSampled + counts.withoutSpan + counts.unjoined;
    return counts;
  }

  /**
   * Takes the steps of a join, in the one order in which it is exact. A thread that had ended
   * before the dump has no samples in a later one, so it can be forgotten; one that ends during the
   * dump may have. What is current is that of samples without a later report only if it is read
   * after these were dumped.
   *
   * @param receiver receives the samples of each chunk
   * @return what the dump has returned
   */
  @Nullable Chunks collect(Dump dump, BiConsumer<Chunk, List<JoinedSample>> receiver)
      throws IOException {
    threads.lookWhoIsAlive();
    Chunks chunks = dump.write();
    carriers.take();
    if (chunks != null) {
      threads.readCurrent();
      for (Chunk chunk : chunks.found) {
        epochOffset = chunk.epochOffset;
        receiver.accept(chunk, join(chunk.samples));
        threads.forgetUntil(chunk.start);
        carriers.forgetUntil(chunk.start);
        wallClock.forgetUntil(chunk.start);
      }
    }
    threads.forgetEnded();
    return chunks;
  }

  /** Joins samples and delivers what belongs to spans. */
  private List<JoinedSample> join(List<Chunk.Sample> samples) {
    List<JoinedSample> all = new ArrayList<>(samples.size());
    samples.sort(Comparator.comparingLong(sample -> sample.time));
    for (Chunk.Sample sample : samples) {
      boolean isOfWallClock = OF_WALL_CLOCK.contains(sample.kind);
      long amount =
          isOfWallClock ? wallClock.measure(threadOf(sample), sample.time) : sample.amount;
      if (isWrong(sample)) {
        unjoined.incrementAndGet();
        unjoinedVirtual.incrementAndGet();
        continue;
      }
      Work work = workOf(sample);
      if (sample.kind != SampleKind.RUNNABLE) { // its CPU time has samples that count
        count(sample, work);
      }
      if (work == Work.UNKNOWN) {
        work = null;
      }
      if (work != null && sample.kind == SampleKind.CPU) {
        deliver(sample, work);
      }
      if (!isOfWallClock) {
        all.add(joined(sample, amount, sample.epochNanos, work));
      } else if (work != null && work.notSampled == null) { // others have far more, of no use
        addPeriods(sample, amount, work, all);
      }
    }
    return all;
  }

  private void deliver(Chunk.Sample sample, Work work) {
    if (work.notSampled == null) {
      receiver.onSamples(work, sample.stackTrace.idHigh, sample.stackTrace.idLow, 1);
    } else {
      receiver.onNotSampled(work.notSampled, 1);
    }
  }

  /** The kernel gives an id again, but threads that do not belong to Java have no other. */
  private static long threadOf(Chunk.Sample sample) {
    return sample.threadId == 0 ? -sample.kernelThreadId : sample.threadId;
  }

  /** Each sample that leaves stands for one period at most, and has the time of its middle. */
  private void addPeriods(
      Chunk.Sample sample, long amount, Work work, List<JoinedSample> receiver) {
    for (long before = 0; before < amount; before += periodNanos) {
      long nanos = Math.min(periodNanos, amount - before);
      receiver.add(joined(sample, nanos, sample.epochNanos - before - nanos / 2, work));
    }
  }

  private static JoinedSample joined(
      Chunk.Sample sample, long amount, long epochNanos, @Nullable Work work) {
    return new JoinedSample(
        sample.kind, amount, epochNanos, sample.threadName, sample.stackTrace, work);
  }

  /**
   * Returns the waits of virtual threads that have ended since the last call. Must be called after
   * {@link #collect}, which learns what time it is.
   */
  List<JoinedSample> takeWaits() {
    IdentityHashMap<List<StackTraceElement>, StackTrace> stacks = new IdentityHashMap<>();
    List<JoinedSample> all = new ArrayList<>();
    if (epochOffset == 0) {
      return all;
    }
    for (Wait wait : carriers.takeWaits()) {
      if (isAbandoned) {
        unjoined.incrementAndGet();
        unjoinedVirtual.incrementAndGet();
        continue;
      }
      joined.incrementAndGet();
      all.add(
          new JoinedSample(
              SampleKind.WALL,
              wait.nanos,
              wait.begin + epochOffset,
              "",
              stacks.computeIfAbsent(wait.stack, this::identify),
              wait.work));
    }
    lostWaits.addAndGet(carriers.lostWaits());
    return all;
  }

  private StackTrace identify(List<StackTraceElement> stack) {
    List<Frame> frames = new ArrayList<>(stack.size() + 1);
    if (isAtMonitor(stack)) {
      frames.add(MONITOR);
    }
    for (StackTraceElement each : stack) {
      frames.add(new Frame(each.getClassName(), each.getMethodName(), each.getLineNumber(), JAVA));
    }
    return ids.identify(frames);
  }

  /** All others leave their carrier in a method of one of these classes. */
  private static boolean isAtMonitor(List<StackTraceElement> stack) {
    String innermost = stack.isEmpty() ? VIRTUAL_THREAD : stack.get(0).getClassName();
    return !innermost.equals(VIRTUAL_THREAD) && !innermost.equals("java.lang.Object");
  }

  /** Says that all samples before a dump at this time have been joined. */
  void delivered(long nanoTime) {
    receiver.onDelivered(nanoTime);
  }

  private boolean isVirtual(Chunk.Sample sample) {
    return carriers.get(sample.kernelThreadId) != null || sample.stackTrace.isOfVirtualThread;
  }

  /** Returns whether neither its time nor its length can be right. */
  private boolean isWrong(Chunk.Sample sample) {
    return WAITING_VIRTUAL_THREADS_UNMOUNT && sample.kind == SampleKind.LOCK && isVirtual(sample);
  }

  private @Nullable Work workOf(Chunk.Sample sample) {
    FollowedCarriers.Carrier carrier = carriers.get(sample.kernelThreadId);
    Work work =
        carrier != null
            ? workOf(carrier, sample.kind, sample.time, sample.stackTrace)
            : isVirtual(sample) ? ofUnknownCarrier() : ofPlatformThread(sample);
    return isAbandoned ? Work.UNKNOWN : work; // asked after what is current was read
  }

  private void count(Chunk.Sample sample, @Nullable Work work) {
    if (work == null) {
      withoutSpan.incrementAndGet();
    } else if (work == Work.UNKNOWN) {
      unjoined.incrementAndGet();
      unjoinedVirtual.addAndGet(isVirtual(sample) ? 1 : 0);
    } else if (work.notSampled != null) {
      notSampled.incrementAndGet();
    } else if (sample.stackTrace.isBroken) {
      broken.incrementAndGet();
      warnIfManyAreBroken(sample.stackTrace);
    } else {
      joined.incrementAndGet();
    }
  }

  private void warnIfManyAreBroken(StackTrace stackTrace) {
    long found = broken.get();
    long all = found + joined.get();
    if (!warned && found >= MIN_BROKEN && found > all * MAX_BROKEN) {
      warned = true;
      Trouble.warn(
          Join.class,
          found
              + " of "
              + all
              + " stacks of spans are broken: they end in "
              + stackTrace.end()
              + ", so their callers are not known. Their CPU time counts nevertheless. If another"
              + " profiler or a library interrupts the same threads by signals, stop it, or let it"
              + " interrupt less often.");
    }
  }

  private @Nullable Work ofUnknownCarrier() {
    return carriers.areOthersKnown() ? null : Work.UNKNOWN;
  }

  private @Nullable Work ofPlatformThread(Chunk.Sample sample) {
    FollowedThread thread = threads.get(sample.threadId);
    if (thread == null) {
      // A thread that is not followed has never had a context, unless it could not be followed.
      return sample.threadId != 0 && threads.someAreNot() ? Work.UNKNOWN : null;
    }
    return thread.reports.areForgottenAt(sample.time) ? Work.UNKNOWN : thread.workAt(sample.time);
  }

  /** Returns what a carrier worked for. */
  static @Nullable Work workOf(
      FollowedCarriers.Carrier carrier, SampleKind kind, long time, StackTrace stackTrace) {
    CarrierReport report = carrier.at(time);
    if (report == null || carrier.reports.areForgottenAt(time)) {
      return Work.UNKNOWN;
    }
    if (!report.isBetween) {
      return report.from;
    }
    if (OF_WALL_CLOCK.contains(kind)) {
      return null; // or it would be counted twice: the whole wait of the virtual thread is known
    }
    switch (Side.of(stackTrace.frames)) {
      case CARRIER:
        return null;
      case FROM:
        return report.from;
      case TO:
        return report.to;
      default:
        return areSame(report.from, report.to) ? report.from : Work.UNKNOWN;
    }
  }

  private static boolean areSame(@Nullable Work a, @Nullable Work b) {
    return a == null ? b == null : a.isSame(b);
  }
}
