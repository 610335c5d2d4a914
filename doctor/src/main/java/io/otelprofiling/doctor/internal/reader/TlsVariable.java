/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.reader;

import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The TLS descriptor of a thread-local pointer: two words, of which the second is its distance from
 * the thread pointer if it is in static TLS, as the public profiler assumes. Immutable.
 */
public final class TlsVariable {
  /** Libraries are never mapped below this address, so smaller numbers are distances. */
  private static final long DISTANCE_LIMIT = 1L << 32;

  /** Whether the dynamic linker has written it. */
  public final boolean isResolved;

  public final boolean isStatic;
  private final long distance;

  /**
   * @throws IOException if it cannot be read
   */
  public TlsVariable(ProcessMemory memory, long descriptor, boolean isArm) throws IOException {
    ByteBuffer words = memory.read(descriptor, 2 * Long.BYTES);
    isResolved = words.getLong(0) != 0;
    distance = words.getLong(Long.BYTES);
    isStatic = Math.abs(distance) < DISTANCE_LIMIT && Long.signum(distance) == (isArm ? 1 : -1);
  }

  /** Returns the value of a variable in static TLS in a thread. */
  public long value(ProcessMemory memory, long threadPointer) throws IOException {
    return memory.word(threadPointer + distance);
  }

  @Override
  public String toString() {
    return isStatic ? "static TLS, offset " + distance : "dynamic TLS";
  }
}
