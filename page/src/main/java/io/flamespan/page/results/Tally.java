/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Sums of samples: by measure, their number and the amount that they stand for. */
public final class Tally {
  private final long[] counts = new long[Measure.COUNT];
  private final long[] amounts = new long[Measure.COUNT];

  public void add(Measure measure, long count, long amount) {
    counts[measure.ordinal()] += count;
    amounts[measure.ordinal()] += amount;
  }

  public void add(Tally other) {
    for (int i = 0; i < Measure.COUNT; i++) {
      counts[i] += other.counts[i];
      amounts[i] += other.amounts[i];
    }
  }

  public void subtract(Tally other) {
    for (int i = 0; i < Measure.COUNT; i++) {
      counts[i] -= other.counts[i];
      amounts[i] -= other.amounts[i];
    }
  }

  public boolean isEmpty() {
    for (long count : counts) {
      if (count != 0) {
        return false;
      }
    }
    return true;
  }

  public boolean equalTo(Tally other) {
    return Arrays.equals(counts, other.counts) && Arrays.equals(amounts, other.amounts);
  }

  /** CPU time, and the other measures of which there are samples. */
  public List<Measure> measures() {
    List<Measure> measures = new ArrayList<>(Measure.COUNT);
    for (Measure measure : Measure.values()) {
      if (measure == Measure.CPU || count(measure) > 0) {
        measures.add(measure);
      }
    }
    return measures;
  }

  /** Those of which there are samples and that add up to time. */
  public List<Measure> ofTime() {
    Measure waits = count(Measure.WAIT) > 0 ? Measure.WAIT : Measure.LOCK;
    return count(waits) > 0 ? List.of(Measure.CPU, waits) : List.of(Measure.CPU);
  }

  public long count(Measure measure) {
    return counts[measure.ordinal()];
  }

  public long amount(Measure measure) {
    return amounts[measure.ordinal()];
  }

  /** The largest of the shares that this has of all, of any measure. */
  public double largestShareOf(Tally all) {
    double largest = 0;
    for (int i = 0; i < Measure.COUNT; i++) {
      largest = Math.max(largest, (double) amounts[i] / Math.max(1, all.amounts[i]));
    }
    return largest;
  }

  public long samples() {
    return count(Measure.CPU);
  }

  public long cpuNanos() {
    return amount(Measure.CPU);
  }

  /** Of samples of waits or of locks, whichever is more: a wait for a lock is a wait, too. */
  public long waitingNanos() {
    return Math.max(amount(Measure.WAIT), amount(Measure.LOCK));
  }

  public long waits() {
    return count(Measure.WAIT);
  }

  public long waitNanos() {
    return amount(Measure.WAIT);
  }
}
