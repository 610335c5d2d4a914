/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import io.otelprofiling.page.results.Measure;
import io.otelprofiling.page.results.Tally;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.ArrayList;
import java.util.List;

/**
 * The samples of CPU time and waits that have a Link. Samples with the same Link and stack share a
 * row.
 */
public final class Samples {

  /** The figures of all samples of a Link. */
  public static final class LinkUse {
    private final SpanKey key;
    private final Tally tally = new Tally();
    private Service service;
    private long firstNanos = Long.MAX_VALUE;
    private long lastNanos;

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
