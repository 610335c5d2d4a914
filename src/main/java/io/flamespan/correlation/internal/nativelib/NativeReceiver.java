/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.posix.Errno;
import io.flamespan.correlation.internal.posix.SystemCallException;
import io.flamespan.correlation.internal.threads.DaemonThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Its thread runs no Java code while it receives: on busy CPUs, a burst is over before a thread
 * that runs Java code gets a CPU again. The library must be loaded.
 */
public final class NativeReceiver implements Receiver {
  static final int RING_SIZE = 1 << 20;
  static final int BATCH_CAPACITY = 4 * (Integer.BYTES + MAX_DATAGRAM);

  private static final long PAUSE_AFTER_ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long END_MILLIS = TimeUnit.SECONDS.toMillis(10);

  private final RateLimitedLogger logger = new RateLimitedLogger(NativeReceiver.class);
  private final ByteBuffer batch = ByteBuffer.allocateDirect(BATCH_CAPACITY);
  private final long handle;
  private final Thread pump;
  private volatile boolean stopping;

  /** Starts to receive from the socket with this file descriptor. */
  public NativeReceiver(int socket) throws IOException {
    batch.order(ByteOrder.nativeOrder()).limit(0);
    handle = NativeBridge.createReceiver0(socket);
    if (handle <= 0) {
      SystemCallException e = new SystemCallException("eventfd2", (int) -handle);
      throw new IOException(
          "messages cannot be received: " + e.getMessage() + ". " + e.remedy(), e);
    }
    boolean started = false;
    try {
      pump = DaemonThread.create(this::pump, "flamespan-receiver");
      pump.start();
      started = true;
    } finally {
      if (!started) { // no thread left, for example
        NativeBridge.freeReceiver0(handle);
      }
    }
  }

  private void pump() {
    while (!stopping) {
      int error = -NativeBridge.pump0(handle);
      if (error != 0) {
        logger.warn("Receiving from the profiler failed, " + Errno.name(error) + ", retrying");
        LockSupport.parkNanos(PAUSE_AFTER_ERROR_NANOS);
      }
    }
  }

  @Override
  public boolean receive(ByteBuffer target) throws IOException {
    if (!batch.hasRemaining()) {
      batch.clear().limit(0);
      long filled = NativeBridge.take0(handle, batch);
      if (filled < 0) {
        throw new SystemCallException("recv", (int) -filled);
      }
      batch.limit((int) filled);
    }
    if (!batch.hasRemaining()) {
      return false;
    }
    int length = batch.getInt();
    target.clear();
    if (length > MAX_DATAGRAM) {
      return true; // it was cut, and so the target is full in any case
    }
    int end = batch.limit();
    int next = batch.position() + length;
    batch.limit(batch.position() + Math.min(length, target.capacity()));
    target.put(batch).flip();
    batch.limit(end).position(next);
    return true;
  }

  @Override
  public void await(long waitNanos) throws IOException {
    int error = -NativeBridge.await0(handle, waitNanos);
    if (error != 0) {
      throw new SystemCallException("ppoll", error);
    }
  }

  @Override
  public void promise(long withinNanos) {
    NativeBridge.promise0(handle, TimeUnit.NANOSECONDS.toMillis(withinNanos));
  }

  @Override
  public void wake() {
    NativeBridge.wake0(handle);
  }

  @Override
  public void close() {
    stopping = true;
    NativeBridge.stopReceiver0(handle);
    if (DaemonThread.awaitEnd(pump, END_MILLIS)) {
      NativeBridge.freeReceiver0(handle);
    } else {
      logger.warn(
          "The thread that receives from the profiler did not end; its memory is not freed");
    }
  }
}
