/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import org.jspecify.annotations.Nullable;

/**
 * A hash table from the keys of spans to their local roots, in two arrays, with linear probing. One
 * thread writes at a time. Other threads may read meanwhile; what they read may be inconsistent,
 * and they have to detect that.
 */
@SuppressWarnings("NullAway") // every key has a root
final class SpanSlots {
  private static final long EMPTY = 0;

  private final long[] keys;
  private final @Nullable LocalRoot[] roots;
  private final int mask;
  private int size;

  /** Creates a table. The capacity must be a power of two. */
  SpanSlots(int capacity) {
    keys = new long[capacity];
    roots = new LocalRoot[capacity];
    mask = capacity - 1;
  }

  int size() {
    return size;
  }

  boolean isFull() {
    return size > keys.length / 4 * 3;
  }

  /** Returns a copy with twice the capacity. */
  SpanSlots grown() {
    SpanSlots grown = new SpanSlots(2 * keys.length);
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] != EMPTY) {
        grown.insert(keys[i], roots[i]);
      }
    }
    return grown;
  }

  /** Returns the index of a span, or -1. Compares the trace id, because keys are only hashes. */
  int indexOf(long key, String traceId) {
    int index = (int) key & mask;
    for (long found = keys[index]; found != EMPTY; found = keys[index]) {
      LocalRoot root = roots[index];
      if (found == key && root != null && root.traceId().equals(traceId)) {
        return index;
      }
      index = (index + 1) & mask;
    }
    return -1;
  }

  /** Returns the index of any span with this key, or -1. */
  int indexOf(long key) {
    int index = (int) key & mask;
    while (keys[index] != key && keys[index] != EMPTY) {
      index = (index + 1) & mask;
    }
    return keys[index] == EMPTY ? -1 : index;
  }

  /** Returns the first index from this one on, wrapping around, at which there is a span. */
  int nextOccupied(int index) {
    int next = index & mask;
    while (keys[next] == EMPTY) {
      next = (next + 1) & mask;
    }
    return next;
  }

  @Nullable LocalRoot root(int index) {
    return index < 0 ? null : roots[index];
  }

  long key(int index) {
    return keys[index];
  }

  void replace(int index, LocalRoot root) {
    roots[index] = root;
  }

  /** Adds a span. There must be an empty slot. */
  void insert(long key, LocalRoot root) {
    int index = (int) key & mask;
    while (keys[index] != EMPTY) {
      index = (index + 1) & mask;
    }
    roots[index] = root;
    keys[index] = key;
    size++;
  }

  /** Removes a span, and moves up the spans that can then be nearer to their home index. */
  void remove(int index) {
    int hole = index;
    int next = (hole + 1) & mask;
    while (keys[next] != EMPTY) {
      int home = (int) keys[next] & mask;
      if (((next - home) & mask) >= ((next - hole) & mask)) {
        keys[hole] = keys[next];
        roots[hole] = roots[next];
        hole = next;
      }
      next = (next + 1) & mask;
    }
    keys[hole] = EMPTY;
    roots[hole] = null;
    size--;
  }
}
