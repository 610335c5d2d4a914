/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.reader;

import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The location of a thread-local variable of 8 bytes: at a fixed distance from the thread pointer
 * (static), or in a block that the thread's table of modules points to (dynamic).
 */
public final class TlsVariable {
  /** The relocations by which code finds a variable. */
  public enum Kind {
    DESCRIPTOR(36, 1031),
    OFFSET(18, 1030),
    MODULE(16, 1028);

    private final int onX64;
    private final int onArm64;

    Kind(int onX64, int onArm64) {
      this.onX64 = onX64;
      this.onArm64 = onArm64;
    }

    static @Nullable Kind of(int type, boolean isArm) {
      for (Kind kind : values()) {
        if (type == (isArm ? kind.onArm64 : kind.onX64)) {
          return kind;
        }
      }
      return null;
    }
  }

  /** Libraries are never mapped below this address, so smaller numbers are offsets. */
  private static final long OFFSET_LIMIT = 1L << 32;

  private static final int DTV_ENTRY = 16;

  public final Kind kind;
  public final boolean isStatic;

  /** What the dynamic linker has not written yet, or "". */
  public final String problem;

  private final boolean isArm;
  private final long module;
  private final long offset;

  /**
   * Reads what the dynamic linker has written at the relocation.
   *
   * @throws IOException if it cannot be read
   */
  public TlsVariable(ProcessMemory memory, Kind kind, long address, boolean isArm)
      throws IOException {
    this.kind = kind;
    this.isArm = isArm;
    ByteBuffer words = memory.read(address, 2 * Long.BYTES);
    long first = words.getLong(0);
    long second = words.getLong(8);
    boolean isEmpty = kind == Kind.DESCRIPTOR && first == 0;
    long distance = kind == Kind.OFFSET ? first : second;
    isStatic =
        !isEmpty
            && kind != Kind.MODULE
            && distance != 0
            && distance > -OFFSET_LIMIT
            && distance < OFFSET_LIMIT
            && (distance > 0) == isArm;
    if (isStatic || isEmpty) {
      module = 0;
      offset = distance;
      problem = isEmpty ? "its TLS descriptor is not resolved" : "";
      return;
    }
    if (kind == Kind.DESCRIPTOR) {
      words = memory.read(second, 2 * Long.BYTES);
    }
    module = words.getLong(0);
    offset = words.getLong(8);
    problem =
        module <= 0 || module > 1 << 20
            ? "it does not have a TLS module, because it is not relocated yet"
            : "";
  }

  /** Returns the value of the variable in a thread, or 0 if the thread has not used it yet. */
  public long value(ProcessMemory memory, long threadPointer) throws IOException {
    if (isStatic) {
      return memory.word(threadPointer + offset);
    }
    long table = memory.word(isArm ? threadPointer : threadPointer + 8);
    if (module > memory.word(table - DTV_ENTRY)) {
      return 0;
    }
    long block = memory.word(table + module * DTV_ENTRY);
    return block == 0 || block == -1 ? 0 : memory.word(block + offset);
  }

  @Override
  public String toString() {
    return isStatic ? "static TLS, offset " + offset : "dynamic TLS, module " + module;
  }
}
