/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.embedded;

import java.util.List;

/** A wait of a virtual thread for which it left its carrier. */
public final class Wait {
  /** When it began, by {@link System#nanoTime()}. */
  public final long begin;

  public final long nanos;

  /** What the thread worked for. */
  public final Work work;

  /** The stack from the innermost frame on. Waits that are taken at once share equal ones. */
  public final List<StackTraceElement> stack;

  /** Creates a wait. */
  public Wait(long begin, long nanos, Work work, List<StackTraceElement> stack) {
    this.begin = begin;
    this.nanos = nanos;
    this.work = work;
    this.stack = stack;
  }
}
