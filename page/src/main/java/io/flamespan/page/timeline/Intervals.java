/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;

/**
 * Intervals of a process, each with a cause and an amount of time that is spread over it. They
 * answer how much of it is in another interval, after {@link #sort}, in the time of a search.
 */
public final class Intervals {
  private static final int MOST_CAUSES = 20;
  private static final long LOOK_NANOS = 150_000_000; // a late one of 100 ms
  private static final String OTHER_CAUSES = "other causes";

  /** Receives an interval. */
  public interface Visitor {
    void visit(long begin, long end, long nanos, String cause);
  }

  private LongArrayList begins = new LongArrayList();
  private LongArrayList ends = new LongArrayList();
  private LongArrayList amounts = new LongArrayList();
  private IntArrayList causes = new IntArrayList();
  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private long[][] sums = {}; // by cause and interval, of those before it
  private boolean isKnown;

  /** Adds a stop, all of which is its amount. If that is 0, it only tells that somebody looked. */
  public void add(long begin, long nanos, String cause) {
    isKnown = true;
    if (nanos > 0) {
      add(begin, begin + nanos, nanos, cause);
    }
  }

  private void add(long begin, long end, long nanos, String cause) {
    begins.add(begin);
    ends.add(end);
    amounts.add(nanos);
    Integer known = numbers.get(cause);
    if (known == null) {
      known = Math.min(names.size(), MOST_CAUSES);
      numbers.put(known < MOST_CAUSES ? cause : OTHER_CAUSES, known);
      if (names.size() <= MOST_CAUSES) {
        names.add(known < MOST_CAUSES ? cause : OTHER_CAUSES);
      }
    }
    causes.add((int) known);
  }

  /** Whether anybody looked, so that nothing means that there was none. */
  public boolean isKnown() {
    return isKnown;
  }

  /** Sorts them. What two have in common belongs to the one that begins first. */
  public void sort() {
    sort(false);
  }

  /**
   * The same for amounts of which only the begins of the intervals are known: each lasts until the
   * next begin, but not longer than a late look or the amount.
   */
  public void sortLooks() {
    sort(true);
  }

  private void sort(boolean ofLooks) {
    int[] order = new int[begins.size()];
    Arrays.setAll(order, place -> place);
    IntArrays.stableSort(
        order, (one, other) -> Long.compare(begins.getLong(one), begins.getLong(other)));
    LongArrayList newBegins = new LongArrayList();
    LongArrayList newEnds = new LongArrayList();
    LongArrayList newAmounts = new LongArrayList();
    IntArrayList newCauses = new IntArrayList();
    long covered = Long.MIN_VALUE;
    for (int place = 0; place < order.length; place++) {
      long begin = begins.getLong(order[place]);
      long end = ends.getLong(order[place]);
      long amount = amounts.getLong(order[place]);
      if (ofLooks) {
        long next = place + 1 < order.length ? begins.getLong(order[place + 1]) : Long.MAX_VALUE;
        end = Math.min(next, begin + Math.max(LOOK_NANOS, amount));
        amount = Math.min(amount, end - begin);
      } else {
        begin = Math.max(begin, covered);
        amount = end - begin;
      }
      if (end > begin && amount > 0) {
        newBegins.add(begin);
        newEnds.add(end);
        newAmounts.add(amount);
        newCauses.add(causes.getInt(order[place]));
        covered = end;
      }
    }
    begins = newBegins;
    ends = newEnds;
    amounts = newAmounts;
    causes = newCauses;
    sums = new long[names.size()][begins.size() + 1];
    for (int place = 0; place < begins.size(); place++) {
      for (int cause = 0; cause < sums.length; cause++) {
        sums[cause][place + 1] =
            sums[cause][place] + (causes.getInt(place) == cause ? amounts.getLong(place) : 0);
      }
    }
  }

  public boolean contains(long time) {
    int place = before(time);
    return place >= 0 && time < ends.getLong(place);
  }

  /** The last one that begins at this time or before, or -1. */
  private int before(long time) {
    int from = 0;
    int to = begins.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (begins.getLong(middle) <= time) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from - 1;
  }

  /** How much of the amounts is between these times. */
  public long within(long from, long to) {
    long sum = 0;
    for (int cause = 0; cause < sums.length && from < to; cause++) {
      sum += until(to, cause) - until(from, cause);
    }
    return sum;
  }

  /** Passes on how much of each cause is between these times. */
  void causes(long from, long to, ObjLongConsumer<String> receiver) {
    for (int cause = 0; cause < sums.length && from < to; cause++) {
      receiver.accept(names.get(cause), until(to, cause) - until(from, cause));
    }
  }

  private long until(long time, int cause) {
    int place = before(time);
    if (place < 0) {
      return 0;
    }
    long sum = sums[cause][place];
    if (causes.getInt(place) == cause) {
      long begin = begins.getLong(place);
      double share = Math.min(1, (double) (time - begin) / (ends.getLong(place) - begin));
      sum += Math.round(amounts.getLong(place) * share);
    }
    return sum;
  }

  public void forEach(Visitor visitor) {
    for (int place = 0; place < begins.size(); place++) {
      visitor.visit(
          begins.getLong(place),
          ends.getLong(place),
          amounts.getLong(place),
          names.get(causes.getInt(place)));
    }
  }
}
