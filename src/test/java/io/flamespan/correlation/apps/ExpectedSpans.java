/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

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
 * Publishes which span each thread of the operating system should be showing, for a reader in
 * another process: a file of 8-byte span ids, indexed by thread id. 0 means that any span may be
 * shown.
 */
public final class ExpectedSpans {
  // The maximum number of thread ids on 64-bit Linux. The file is sparse.
  private static final long THREAD_IDS = 4 * 1024 * 1024;

  private static final VarHandle SLOT =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** jnr-ffi binds functions by the exact method name. */
  public interface Functions {
    int gettid();
  }

  private final Functions libc = LibraryLoader.create(Functions.class).load("c");
  private final ByteBuffer slots;

  public ExpectedSpans(Path file) throws IOException {
    libc.gettid(); // the first call takes locks, on which a virtual thread could change carriers
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      slots = channel.map(FileChannel.MapMode.READ_WRITE, 0, THREAD_IDS * Long.BYTES);
    }
  }

  /** Runs the work while the file names the span for this thread. The work must not block. */
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
