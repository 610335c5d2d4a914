/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.threads;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** A number on a separate cache line. */
@SuppressWarnings("unused")
public final class Position extends PositionValue {
  private long q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q10, q11, q12, q13, q14, q15;
}

@SuppressWarnings("unused")
abstract class PositionPadding {
  private long p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15;
}

abstract class PositionValue extends PositionPadding {
  private static final AtomicLongFieldUpdater<PositionValue> VALUE =
      AtomicLongFieldUpdater.newUpdater(PositionValue.class, "value");

  private volatile long value;

  /** Reads the number like a volatile field. */
  public long get() {
    return value;
  }

  /** Writes the number, in the order of this thread's writes. */
  public void lazySet(long newValue) {
    VALUE.lazySet(this, newValue);
  }

  /** See {@link java.util.concurrent.atomic.AtomicLong#compareAndSet}. */
  public boolean compareAndSet(long expected, long newValue) {
    return VALUE.compareAndSet(this, expected, newValue);
  }
}
