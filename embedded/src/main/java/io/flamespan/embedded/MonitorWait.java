/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

/** A wait for a monitor that has ended. Immutable. */
final class MonitorWait {
  /** The id if no thread held the monitor before. */
  static final long NO_THREAD = 0;

  final long epochNanos; // of the begin
  final long nanos;

  /** The ids that the JVM gives the thread, and the one that held the monitor before. */
  final long threadId;

  final long holderId;

  final String threadName;
  final String holderName;

  /** As the JVM names the class of the monitor. */
  final String monitorClass;

  MonitorWait(
      long epochNanos,
      long nanos,
      long threadId,
      String threadName,
      long holderId,
      String holderName,
      String monitorClass) {
    this.epochNanos = epochNanos;
    this.nanos = nanos;
    this.threadId = threadId;
    this.threadName = threadName;
    this.holderId = holderId;
    this.holderName = holderName;
    this.monitorClass = monitorClass;
  }
}
