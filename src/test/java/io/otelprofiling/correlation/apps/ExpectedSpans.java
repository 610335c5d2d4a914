/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.apps;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import jnr.ffi.LibraryLoader;

/**
 * Shows a reader in another process what each thread of the operating system should be showing: a
 * file of 8-byte span ids, indexed by thread id, with 0 while anything may be shown.
 */
public final class ExpectedSpans {
  // The maximum number of thread ids of Linux on any 64-bit machine. The file is sparse.
  private static final long THREAD_IDS = 4 * 1024 * 1024;

  private static final VarHandle SLOT =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** jnr-ffi calls a function with exactly this name. */
  public interface Functions {
    int gettid();
  }

  private final Functions libc = LibraryLoader.create(Functions.class).load("c");
  private final ByteBuffer slots;

  public ExpectedSpans(Path file) throws IOException {
    libc.gettid(); // the first call takes locks, for which a virtual thread would change carriers
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      slots = channel.map(FileChannel.MapMode.READ_WRITE, 0, THREAD_IDS * Long.BYTES);
    }
  }

  /** Does the work while the file has the span for this thread. The work must not block. */
  public void during(String spanId, Runnable work) {
    int slot = libc.gettid() * Long.BYTES;
    SLOT.setVolatile(slots, slot, Long.parseUnsignedLong(spanId, 16));
    try {
      work.run();
    } finally {
      SLOT.setVolatile(slots, slot, 0L);
    }
  }
}
