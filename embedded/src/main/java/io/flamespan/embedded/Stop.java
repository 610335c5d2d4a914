/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

/** A time in which all threads stood still. Immutable. */
final class Stop {
  /** What stops all threads. */
  static final String COLLECTION = "garbage collection";

  static final String SAFEPOINT = "safepoint";

  /** The causes of stops at safepoints, beyond the pauses of garbage collections. */
  static final String REACHING = "time to safepoint";

  static final String OTHERS = "other operations";

  final String cause;
  final String kind;

  /** When it began, by {@link System#nanoTime()}. */
  final long begin;

  final long nanos;

  Stop(String cause, String kind, long begin, long nanos) {
    this.cause = cause;
    this.kind = kind;
    this.begin = begin;
    this.nanos = nanos;
  }
}
