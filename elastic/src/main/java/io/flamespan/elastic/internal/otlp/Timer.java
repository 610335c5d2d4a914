/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

/** Runs tasks later. Thread-safe. */
interface Timer {
  /** Runs the task once, on another thread, after this delay. */
  void after(long nanos, Runnable task);

  /** Cancels the tasks that have not started. */
  void close();
}
