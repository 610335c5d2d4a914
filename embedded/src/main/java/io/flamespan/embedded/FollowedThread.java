/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.Work;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A thread whose samples can be joined. All methods are for the collecting thread. */
final class FollowedThread {
  final Reports<Work> reports = new Reports<>();
  final Thread thread;
  private volatile Supplier<@Nullable Work> supplier;
  private boolean wasAlive = true;
  private @Nullable Work current;

  FollowedThread(Thread thread, Supplier<@Nullable Work> supplier) {
    this.thread = thread;
    this.supplier = supplier;
  }

  /** Sets who knows what the thread works for. For the thread itself. */
  void ask(Supplier<@Nullable Work> supplier) {
    this.supplier = supplier;
  }

  /** Looks whether the thread lives. */
  void lookWhetherAlive() {
    wasAlive = thread.isAlive();
  }

  /** Returns whether the thread lived at the last look. */
  boolean wasAlive() {
    return wasAlive;
  }

  /** Reads what is current. */
  void readCurrent() {
    current = supplier.get();
  }

  /** Returns what the thread worked for at a time before {@link #readCurrent()}, or null. */
  @Nullable Work workAt(long time) {
    return reports.workAt(time, current);
  }
}
