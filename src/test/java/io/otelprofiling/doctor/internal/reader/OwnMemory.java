/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.reader;

import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/** Memory of this process, which it reads like that of another one. */
final class OwnMemory {
  static final int SIZE = 1 << 17;

  private final Pointer pointer = Memory.allocateDirect(Runtime.getSystemRuntime(), SIZE, true);
  final ProcessMemory reader;

  OwnMemory() {
    try {
      reader = new ProcessMemory(new TargetProcess(TargetProcess.self()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long address() {
    return pointer.address();
  }

  /** Writes the bytes at the beginning, followed by zeros. */
  void write(byte[] bytes) {
    pointer.put(0, bytes, 0, bytes.length);
    pointer.setMemory(bytes.length, Math.min(8192, SIZE - bytes.length), (byte) 0);
  }
}
