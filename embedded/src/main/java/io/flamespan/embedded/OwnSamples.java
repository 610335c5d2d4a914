/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.ThreadSamples;
import io.flamespan.correlation.internal.embedded.Work;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reports what the calling thread works for. Allocates nothing but at a report, and at each change
 * if these are wanted.
 */
final class OwnSamples extends ThreadSamples {
  private static final long NONE = -1;

  private final ByteBuffer counter;
  private final Reports<Work> reports;
  private final @Nullable WorkHistory history; // null if it is not wanted
  private long last = NONE;

  OwnSamples(ByteBuffer counter, Reports<Work> reports, @Nullable WorkHistory history) {
    this.counter = counter;
    this.reports = reports;
    this.history = history;
  }

  @Override
  public boolean areNew() {
    return counter.getLong(0) != last;
  }

  @Override
  public void report(@Nullable Work work) {
    last = counter.getLong(0);
    // Not the last sample's time: for a wait, it is the beginning, which may be long ago.
    reports.add(System.nanoTime(), work);
  }

  @Override
  public boolean areChangesWanted() {
    return history != null && history.goesOn();
  }

  @Override
  public void change(@Nullable Work work) {
    if (history != null) {
      history.add(System.nanoTime(), work);
    }
  }
}
