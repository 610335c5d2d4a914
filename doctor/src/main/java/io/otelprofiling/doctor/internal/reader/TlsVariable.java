/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.reader;

import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The location of a thread-local variable of 8 bytes: at a fixed distance from the thread pointer
 * (static), or in a block that the thread's table of modules points to (dynamic).
 */
public final class TlsVariable {
  /** How code finds a variable, with the type of such a relocation. */
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
      return Arrays.stream(values())
          .filter(kind -> type == (isArm ? kind.onArm64 : kind.onX64))
          .findFirst()
          .orElse(null);
    }
  }

  /** Libraries are never mapped below this address, so smaller numbers are offsets. */
  private static final long OFFSET_LIMIT = 1L << 32;

  private static final int DTV_ENTRY = 16;
  private static final int MAX_MODULES = 1 << 20;

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
    this.isArm = isArm;
    ByteBuffer words = memory.read(address, 2 * Long.BYTES);
    boolean isDescriptor = kind == Kind.DESCRIPTOR;
    boolean isEmpty = isDescriptor && words.getLong(0) == 0;
    long distance = words.getLong(kind == Kind.OFFSET ? 0 : 8);
    isStatic =
        kind != Kind.MODULE
            && distance > -OFFSET_LIMIT
            && distance < OFFSET_LIMIT
            && Long.signum(distance) == (isArm ? 1 : -1);
    boolean isIndirect = isDescriptor && !isEmpty && !isStatic;
    ByteBuffer block = isIndirect ? memory.read(distance, 2 * Long.BYTES) : words;
    module = block.getLong(0);
    offset = isStatic ? distance : block.getLong(8);
    boolean isFound = !isEmpty && (isStatic || (module > 0 && module <= MAX_MODULES));
    problem = isFound ? "" : "it is not resolved";
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
