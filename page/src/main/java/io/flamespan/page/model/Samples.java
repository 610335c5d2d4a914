/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.ArrayList;
import java.util.List;

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
  }

  /** Receives a sample. */
  interface Receiver {
    /**
     * Receives a sample.
     *
     * @param unixNanos 0 if it is unknown
     */
    void sample(int link, int stack, Measure measure, long count, long amount, long unixNanos);
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

  /** Keeps a sample until {@link #release}. The time is 0 if it is unknown. */
  void hold(int link, int stack, Measure measure, long count, long amount, long unixNanos) {
    held.links.add(link);
    held.stacks.add(measure.ordinal() << StackSums.STACK_BITS | stack);
    held.counts.add(count);
    held.amounts.add(amount);
    held.times.add(unixNanos);
  }

  /** Passes all samples on that were kept, once. */
  void release(Receiver to) {
    Held all = held;
    held = new Held();
    for (int i = 0; i < all.links.size(); i++) {
      to.sample(
          all.links.getInt(i),
          all.stacks.getInt(i) & (1 << StackSums.STACK_BITS) - 1,
          MEASURES[all.stacks.getInt(i) >> StackSums.STACK_BITS],
          all.counts.getLong(i),
          all.amounts.getLong(i),
          all.times.getLong(i));
    }
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
