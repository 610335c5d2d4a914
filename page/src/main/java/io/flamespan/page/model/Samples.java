/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.ThreadName;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The samples of CPU time and waits that have a Link. Samples with the same Link and stack share a
 * row.
 */
public final class Samples {

  private static final Measure[] MEASURES = Measure.values();

  /** The figures of all samples of a Link. */
  public static final class LinkUse {
    private final SpanKey key;
    private final Tally tally = new Tally();
    private Service service;
    private long firstNanos = Long.MAX_VALUE;
    private long lastNanos;
    private boolean clocksDiffer;
    private @Nullable String thread; // as the last sample has it
    private String threads = ""; // their name if it is one, but for numbers

    private LinkUse(SpanKey key, Service service) {
      this.key = key;
      this.service = service;
    }

    public SpanKey key() {
      return key;
    }

    public Tally tally() {
      return tally;
    }

    /** The service of the profile. */
    public Service service() {
      return service;
    }

    /** The name of the threads of all of its samples, empty if they have none or several. */
    public String thread() {
      return threads;
    }

    void thread(String name) {
      if (!name.equals(thread)) {
        String of = name.isEmpty() ? "" : ThreadName.of(name);
        threads = thread == null || threads.equals(of) ? of : "";
        thread = name;
      }
    }

    /** Later than {@link #lastNanos} if no sample has a timestamp. */
    public long firstNanos() {
      return firstNanos;
    }

    public long lastNanos() {
      return lastNanos;
    }

    /** Whether the times of its samples do not fit its request's. */
    boolean clocksDiffer() {
      return clocksDiffer;
    }

    void clocksDiffer(boolean differ) {
      clocksDiffer = differ;
    }

    void seen(Service of, long nanos) {
      if (service.name().isEmpty()) {
        service = of;
      }
      firstNanos = Math.min(firstNanos, nanos);
      lastNanos = Math.max(lastNanos, nanos);
    }
  }

  private final Object2IntOpenHashMap<SpanKey> numbers = new Object2IntOpenHashMap<>();
  private final List<LinkUse> links = new ArrayList<>();
  private final StackSums sums = new StackSums();
  private Held held = new Held();

  /** Samples, each at one time, until the ends of the requests are known. */
  private static final class Held {
    final IntArrayList links = new IntArrayList();
    final IntArrayList stacks = new IntArrayList(); // with the measure above the stack's bits
    final LongArrayList counts = new LongArrayList();
    final LongArrayList amounts = new LongArrayList();
    final LongArrayList times = new LongArrayList();
    final IntArrayList threads = new IntArrayList();
  }

  /** Receives a sample. */
  interface Receiver {
    /**
     * Receives a sample. Returns whether it is one of its request.
     *
     * @param measure null if it is only for the time line
     * @param unixNanos 0 if it is unknown
     */
    boolean sample(
        int link, int stack, @Nullable Measure measure, long count, long amount, long unixNanos);
  }

  public Samples() {
    numbers.defaultReturnValue(-1);
  }

  int link(SpanKey key, Service service) {
    int known = numbers.getInt(key);
    if (known >= 0) {
      return known;
    }
    numbers.put(key, links.size());
    links.add(new LinkUse(key, service));
    return links.size() - 1;
  }

  /**
   * Keeps a sample until {@link #forget}. The time is 0 if it is unknown, the measure null if the
   * sample is one of a thread that is on CPU or ready.
   */
  void hold(
      int link,
      int thread,
      int stack,
      @Nullable Measure measure,
      long count,
      long amount,
      long unixNanos) {
    int kind = measure == null ? MEASURES.length : measure.ordinal();
    held.links.add(link);
    held.threads.add(thread);
    held.stacks.add(kind << StackSums.STACK_BITS | stack);
    held.counts.add(count);
    held.amounts.add(amount);
    held.times.add(unixNanos);
  }

  /** Passes all samples on. Forgets those that are not of their requests. */
  void release(Receiver to) {
    for (int i = 0; i < held(); i++) {
      if (!to.sample(
          heldLink(i), heldStack(i), heldMeasure(i), heldCount(i), heldAmount(i), heldTime(i))) {
        held.links.set(i, -1);
      }
    }
  }

  void forget() {
    held = new Held();
  }

  /** The number of samples that are kept. */
  int held() {
    return held.links.size();
  }

  /** -1 if the sample is not one of its request. */
  int heldLink(int i) {
    return held.links.getInt(i);
  }

  int heldThread(int i) {
    return held.threads.getInt(i);
  }

  int heldStack(int i) {
    return held.stacks.getInt(i) & (1 << StackSums.STACK_BITS) - 1;
  }

  @Nullable Measure heldMeasure(int i) {
    int kind = held.stacks.getInt(i) >> StackSums.STACK_BITS;
    return kind < MEASURES.length ? MEASURES[kind] : null;
  }

  long heldCount(int i) {
    return held.counts.getLong(i);
  }

  long heldAmount(int i) {
    return held.amounts.getLong(i);
  }

  long heldTime(int i) {
    return held.times.getLong(i);
  }

  void add(int link, int stack, Measure measure, long count, long amount) {
    links.get(link).tally.add(measure, count, amount);
    sums.add(link, stack, measure, count, amount);
  }

  public List<LinkUse> links() {
    return links;
  }

  /** By the number of the Link. */
  public StackSums sums() {
    return sums;
  }
}
