/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

/** A wait for a monitor that has ended. Immutable. */
final class MonitorWait {
  /** The times by {@link System#nanoTime()}. */
  final long begin;

  final long end;

  final long epochNanos; // of the begin

  /** The ids that the JVM gives the thread, and the one that held the monitor before; or 0. */
  final long threadId;

  final long holderId;

  final String threadName;
  final String holderName;

  /** As the JVM names the class of the monitor. */
  final String monitorClass;

  /** The same as of all waits for this monitor, as long as threads wait for it. */
  final long monitor;

  MonitorWait(
      long begin,
      long end,
      long epochNanos,
      long threadId,
      String threadName,
      long holderId,
      String holderName,
      String monitorClass,
      long monitor) {
    this.begin = begin;
    this.end = end;
    this.epochNanos = epochNanos;
    this.threadId = threadId;
    this.threadName = threadName;
    this.holderId = holderId;
    this.holderName = holderName;
    this.monitorClass = monitorClass;
    this.monitor = monitor;
  }
}
