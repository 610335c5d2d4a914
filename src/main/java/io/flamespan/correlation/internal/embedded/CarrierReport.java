/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.embedded;

import org.jspecify.annotations.Nullable;

/** What the samples of a carrier belong to, up to a time and since the report before. */
public final class CarrierReport {
  /** The time of the last of these samples. */
  public final long time;

  /**
   * Whether no virtual thread was mounted, as far as the JVM tells: it says so before it has left
   * the stack of one virtual thread, and as long as it has not completed the next one's.
   */
  public final boolean isBetween;

  /** What the virtual thread works for that is mounted; or if none is, the one before. */
  public final @Nullable Work from;

  /** The same; or if none is mounted, what the next virtual thread works for. */
  public final @Nullable Work to;

  /** Creates a report. */
  public CarrierReport(long time, boolean isBetween, @Nullable Work from, @Nullable Work to) {
    this.time = time;
    this.isBetween = isBetween;
    this.from = from;
    this.to = to;
  }
}
