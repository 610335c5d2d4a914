/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Counts the stack trace ids of one local root span until they are frozen. Not thread-safe, except
 * for {@link #isFrozen}.
 */
final class StackTraceIds {
  /** A frozen instance without ids. */
  static final StackTraceIds NONE = new StackTraceIds();

  /** The same of a local root span that is not sampled, for good. */
  static final StackTraceIds NOT_SAMPLED = new StackTraceIds();

  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final Map<Key, Integer> counts = new LinkedHashMap<>();
  private int size;
  private long samples;
  private long reported;
  private volatile @Nullable List<String> frozen; // read by any thread

  static {
    NONE.frozen = Collections.emptyList();
    NOT_SAMPLED.frozen = Collections.emptyList();
  }

  /**
   * Counts an id. Must not be called after {@link #freeze}.
   *
   * @param max the maximum number of ids in total, repetitions included
   * @return how many of {@code count} fitted in
   */
  int add(long idHigh, long idLow, int count, int max) {
    samples += count;
    int added = Math.min(count, max - size);
    if (added <= 0) {
      return 0;
    }
    counts.merge(new Key(idHigh, idLow), added, Integer::sum);
    size += added;
    return added;
  }

  private List<String> snapshot() {
    List<String> ids = frozen;
    return ids != null ? ids : counts.isEmpty() ? Collections.emptyList() : toList();
  }

  /** Ends the counting. Returns each id as often as it was counted, in the protocol's encoding. */
  List<String> freeze() {
    List<String> ids = snapshot();
    frozen = ids;
    counts.clear();
    return ids;
  }

  /** Returns the number of samples, including those above the limit. */
  long samples() {
    return samples;
  }

  /** Returns the samples so far, which then count as reported. */
  CollectedSamples collected() {
    long unreported = samples - reported;
    reported = samples;
    return new CollectedSamples(snapshot(), samples, unreported);
  }

  boolean isFrozen() {
    return frozen != null;
  }

  private List<String> toList() {
    String[] ids = new String[counts.size()];
    int[] ends = new int[counts.size()];
    int i = 0;
    int end = 0;
    for (Map.Entry<Key, Integer> entry : counts.entrySet()) {
      ids[i] = entry.getKey().encode();
      end += entry.getValue();
      ends[i++] = end;
    }
    return new RepeatingList(ids, ends);
  }

  /** Comparable, so that the map does not degrade to a list if all ids have the same hash. */
  private static final class Key implements Comparable<Key> {
    private final long high;
    private final long low;

    Key(long high, long low) {
      this.high = high;
      this.low = low;
    }

    String encode() {
      byte[] id = ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
      return BASE64.encodeToString(id);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key && ((Key) other).high == high && ((Key) other).low == low;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(high ^ low);
    }

    @Override
    public int compareTo(Key other) {
      int result = Long.compare(high, other.high);
      return result == 0 ? Long.compare(low, other.low) : result;
    }
  }

  /**
   * Stores each id once: one message of 46 bytes may count 65,535 samples, which must not cost as
   * many list elements.
   */
  private static final class RepeatingList extends AbstractList<String> implements RandomAccess {
    private final String[] ids;
    private final int[] ends; // of the run of each id, exclusive

    RepeatingList(String[] ids, int[] ends) {
      this.ids = ids;
      this.ends = ends;
    }

    @Override
    public String get(int index) {
      if (index < 0 || index >= size()) {
        throw new IndexOutOfBoundsException(index + " of " + size());
      }
      int found = Arrays.binarySearch(ends, index + 1);
      return ids[found >= 0 ? found : -found - 1];
    }

    @Override
    public int size() {
      return ends.length == 0 ? 0 : ends[ends.length - 1];
    }
  }
}
