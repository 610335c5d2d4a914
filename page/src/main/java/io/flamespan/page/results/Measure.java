/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

/** What samples measure. The amount is in nanoseconds or, of allocation, in bytes. */
public enum Measure {
  /** CPU time. */
  CPU,

  /** The time of waits for anything. */
  WAIT,

  /** Bytes that were allocated. */
  ALLOC,

  /** The time of waits for locks. */
  LOCK;

  /** How many there are. */
  public static final int COUNT = values().length;

  /** Whether the samples come independently of each other. One long wait is a sample, too. */
  public boolean isIndependent() {
    return this == CPU || this == ALLOC;
  }
}
