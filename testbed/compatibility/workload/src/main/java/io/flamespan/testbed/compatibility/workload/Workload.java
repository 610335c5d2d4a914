/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.workload;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * The work of all applications. While a thread computes, it reports to the stand-in profiler what
 * it may show: the current span if that belongs to the served request, otherwise no trace. See the
 * stand-in's option {@code --expected}.
 */
public final class Workload {
  /** The slot value that says: any trace that the thread shows is wrong. */
  private static final long NO_TRACE = -1;

  // The maximum number of thread ids of Linux on any 64-bit machine. The file is sparse.
  private static final long THREAD_IDS = 4 * 1024 * 1024;

  private static final VarHandle SLOT =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final ByteBuffer slots;
  private volatile long result;

  /** Opens the file that the system property {@code example.expected.file} names. */
  public Workload() {
    Path file = Path.of(System.getProperty("example.expected.file"));
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      slots = channel.map(FileChannel.MapMode.READ_WRITE, 0, THREAD_IDS * Long.BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reports to the runner the port of the loopback interface on which the application listens. */
  public static void listensOn(int port) {
    Path file = Path.of(System.getProperty("example.port.file"));
    Path unfinished = Path.of(file + ".new");
    try {
      Files.writeString(unfinished, Integer.toString(port));
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the trace id from the client's header {@code traceparent}. */
  public static String traceId(String traceParent) {
    return traceParent.split("-")[1];
  }

  /** Computes for a request. */
  public void serve(String traceId, int millis) {
    SpanContext current = Span.current().getSpanContext();
    compute(
        current.getTraceId().equals(traceId)
            ? Long.parseUnsignedLong(current.getSpanId(), 16)
            : NO_TRACE,
        millis);
  }

  /** Computes for no request. */
  public void serveNobody(int millis) {
    compute(NO_TRACE, millis);
  }

  private void compute(long expected, int millis) {
    // Read each time, as a virtual thread may change its carrier. Privileged, because one of the
    // applications may not read files.
    int slot =
        AccessController.doPrivileged((PrivilegedAction<Integer>) Workload::threadId) * Long.BYTES;
    SLOT.setVolatile(slots, slot, expected);
    try {
      long value = 1;
      for (long start = System.nanoTime(); System.nanoTime() - start < millis * 1_000_000L; ) {
        for (int i = 0; i < 1000; i++) {
          value = value * 31 + i;
        }
      }
      result = value;
    } finally {
      SLOT.setVolatile(slots, slot, 0L);
    }
  }

  private static int threadId() {
    try {
      return Integer.parseInt(
          Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
