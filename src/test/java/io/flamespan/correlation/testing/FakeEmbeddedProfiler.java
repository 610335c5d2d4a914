/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.flamespan.correlation.internal.embedded.EmbeddedCounts;
import io.flamespan.correlation.internal.embedded.EmbeddedProfiler;
import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import io.flamespan.correlation.internal.embedded.EmbeddedSettings;
import io.flamespan.correlation.internal.embedded.SampleReceiver;
import io.flamespan.correlation.internal.embedded.ThreadSamples;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.localroot.LocalRootTraceState;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An embedded profiler whose samples the test takes on its own threads, so that it knows the span
 * of each. Joins them by the rule: a sample belongs to the first report after it.
 */
public final class FakeEmbeddedProfiler implements EmbeddedProfiler {
  public static final long STACK_HIGH = 0x60b420bb3851d9d4L;
  public static final long STACK_LOW = 0x7acb933dbe70399bL;

  /** The profilers that were started, the last one last. */
  public static final List<FakeEmbeddedProfiler> STARTED = new CopyOnWriteArrayList<>();

  /** What {@link #start} throws, or null. */
  public static volatile @Nullable Throwable startFailure;

  /** Whether it wants to know of each change of what is current. */
  public static volatile boolean followChanges;

  /** One sample: the span that was current when it was taken, and what was reported for it. */
  public record Joined(Span current, @Nullable Work work, boolean isReported) {
    /**
     * Returns whether the report names the span, or its local root span if only that is sampled, or
     * no span if there was none.
     */
    public boolean isRight() {
      if (work != null && work.notSampled != null) {
        return work.notSampled.equals(
            LocalRootTraceState.nameOfRootNotSampled(current.getSpanContext()));
      }
      SpanContext context = current.getSpanContext();
      return work == null
          ? !context.isValid()
          : context.getTraceId().equals(hex(work.traceIdHigh) + hex(work.traceIdLow))
              && (context.isSampled()
                  ? context.getSpanId().equals(hex(work.spanId))
                  : work.spanId == work.localRootSpanId);
    }

    private static String hex(long id) {
      return String.format("%016x", id);
    }
  }

  private static final class Sample {
    final Span current;

    Sample(Span current) {
      this.current = current;
    }
  }

  /** The samples of one thread that were not reported yet. */
  private static final class OfThread extends ThreadSamples {
    final Queue<Sample> unreported = new ConcurrentLinkedQueue<>();
    final Supplier<@Nullable Work> current;
    final Supplier<@Nullable Work> ofHolder;
    final FakeEmbeddedProfiler profiler;
    private boolean isFirst = true;

    OfThread(
        FakeEmbeddedProfiler profiler,
        Supplier<@Nullable Work> current,
        Supplier<@Nullable Work> ofHolder) {
      this.profiler = profiler;
      this.current = current;
      this.ofHolder = ofHolder;
    }

    @Override
    public boolean areNew() {
      fail(profiler.areNewFailure);
      return isFirst || !unreported.isEmpty();
    }

    @Override
    public void report(@Nullable Work work) {
      fail(profiler.reportFailure);
      if (!isFirst) {
        profiler.currentAtReport.add(Span.current());
      }
      isFirst = false;
      for (Sample sample = unreported.poll(); sample != null; sample = unreported.poll()) {
        profiler.joined.add(new Joined(sample.current, work, true));
      }
    }

    @Override
    public boolean areChangesWanted() {
      return followChanges;
    }

    @Override
    public void change(@Nullable Work work) {
      fail(profiler.changeFailure);
      if (work != Work.UNKNOWN) {
        profiler.changes.add(new Joined(Span.current(), work, true));
      }
    }

    /** Joins samples that nobody reports with what is current after them. */
    void joinUnreported() {
      List<Sample> taken = List.copyOf(unreported);
      if (!taken.isEmpty()) {
        Work work = current.get();
        for (Sample sample : taken) {
          if (unreported.remove(sample)) { // otherwise it was reported meanwhile
            profiler.joined.add(
                new Joined(sample.current, work == Work.UNKNOWN ? null : work, false));
          }
        }
      }
    }
  }

  public final Queue<Joined> joined = new ConcurrentLinkedQueue<>();
  public final Queue<Joined> changes = new ConcurrentLinkedQueue<>();
  public final Queue<Span> currentAtReport = new ConcurrentLinkedQueue<>();
  public volatile @Nullable RuntimeException ofThreadFailure;
  public volatile @Nullable Throwable areNewFailure;
  public volatile @Nullable Throwable reportFailure;
  public volatile @Nullable Throwable changeFailure;
  public volatile @Nullable RuntimeException otherFailure;
  public volatile EmbeddedSettings settings;
  public volatile boolean stopped;
  public volatile boolean abandoned;

  /** What a start waits for. */
  public final CountDownLatch mayStart = new CountDownLatch(1);

  /** What a stop waits for. */
  public final CountDownLatch mayStop = new CountDownLatch(1);

  /** Whether starts and stops wait. */
  public volatile boolean isSlow;

  public volatile boolean starting;

  private final Map<Thread, OfThread> threads = new ConcurrentHashMap<>();
  private final List<Joined> delivered = new ArrayList<>();
  private final AtomicLong samples = new AtomicLong();
  private volatile @Nullable SampleReceiver receiver;

  private static void fail(@Nullable Throwable failure) {
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }

  /** Takes a sample of the calling thread. */
  public void sample() {
    samples.incrementAndGet();
    Span current = Span.current();
    OfThread thread = threads.get(Thread.currentThread());
    if (thread == null) {
      joined.add(new Joined(current, null, false));
    } else {
      thread.unreported.add(new Sample(current));
    }
  }

  /** Returns whether the plug-in has asked for the samples of this thread. */
  public boolean follows(Thread thread) {
    return threads.containsKey(thread);
  }

  /** Returns what the calling thread works for, as other threads are told. */
  public @Nullable Work currentWork() {
    return threads.get(Thread.currentThread()).current.get();
  }

  /** The same, of a thread that may hold a lock. */
  public @Nullable Work currentWorkOfHolder() {
    return threads.get(Thread.currentThread()).ofHolder.get();
  }

  @Override
  public String start(EmbeddedSettings settings, SampleReceiver receiver)
      throws EmbeddedProfilerException {
    if (startFailure instanceof EmbeddedProfilerException e) {
      throw e;
    }
    fail(startFailure);
    starting = true;
    await(mayStart);
    this.settings = settings;
    this.receiver = receiver;
    STARTED.add(this);
    return "a fake";
  }

  @Override
  public @Nullable ThreadSamples ofCurrentThread(
      Supplier<@Nullable Work> current, Supplier<@Nullable Work> ofHolder) {
    fail(ofThreadFailure);
    OfThread thread = new OfThread(this, current, ofHolder);
    threads.put(Thread.currentThread(), thread);
    return thread;
  }

  @Override
  public synchronized void collect() {
    fail(otherFailure);
    long begin = System.nanoTime();
    for (OfThread thread : threads.values()) {
      thread.joinUnreported();
    }
    SampleReceiver target = receiver;
    for (Joined each = joined.poll(); each != null; each = joined.poll()) {
      delivered.add(each);
      Work work = each.work();
      if (target != null && work != null) {
        if (work.notSampled == null) {
          target.onSamples(work, STACK_HIGH, STACK_LOW, 1);
        } else {
          target.onNotSampled(work.notSampled, 1);
        }
      }
    }
    if (target != null) {
      target.onDelivered(begin);
    }
  }

  /** Collects, and returns all samples so far. */
  public synchronized List<Joined> collected() {
    collect();
    return List.copyOf(delivered);
  }

  @Override
  public synchronized EmbeddedCounts counts() {
    fail(otherFailure);
    long joinedSamples = delivered.stream().filter(each -> each.work() != null).count();
    EmbeddedCounts counts = new EmbeddedCounts();
    counts.samples = samples.get();
    counts.joined = joinedSamples;
    return counts;
  }

  private void await(CountDownLatch latch) {
    try {
      if (isSlow && !latch.await(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("nobody has let it go on");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void abandon() {
    abandoned = true;
  }

  @Override
  public void stop() {
    await(mayStop);
    stopped = true;
    collect();
  }
}
