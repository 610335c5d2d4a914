/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Receives bursts of datagrams from a bound socket as fast as they come. In C, because a burst is
 * over before the JVM has compiled, or only woken up, what receives one datagram at a time. The
 * library has to be loaded. {@link #wake} may be called by any thread, before {@link #close}.
 */
public final class NativeReceiver implements Closeable {
  /** The longest datagram that is received whole, in bytes. */
  public static final int MAX_DATAGRAM = 1 << 16;

  private static final int LENGTH_SIZE = Integer.BYTES;
  private static final int BATCH_CAPACITY = 4 * (LENGTH_SIZE + MAX_DATAGRAM);

  private final int wakeEvent;
  private final ByteBuffer batch = ByteBuffer.allocateDirect(BATCH_CAPACITY);

  public NativeReceiver() throws IOException {
    batch.order(ByteOrder.nativeOrder()).limit(0);
    wakeEvent = NativeBridge.createWakeEvent0();
    check(wakeEvent, "eventfd");
  }

  /**
   * Takes the next datagram of the last batch, or receives another batch.
   *
   * @param target gets the datagram, flipped; filled to its capacity if the datagram does not fit
   * @return false if none is waiting
   */
  public boolean receive(int socket, ByteBuffer target) throws IOException {
    if (!batch.hasRemaining()) {
      fill(NativeBridge.receive0(socket, batch), "recv");
    }
    if (!batch.hasRemaining()) {
      return false;
    }
    int length = batch.getInt();
    target.clear();
    if (length > MAX_DATAGRAM) {
      return true; // was cut, and left to itself: the target is full
    }
    int end = batch.limit();
    int next = batch.position() + length;
    batch.limit(batch.position() + Math.min(length, target.capacity()));
    target.put(batch).flip();
    batch.limit(end).position(next);
    return true;
  }

  /**
   * Sleeps until a datagram waits, {@link #wake} is called, or the time is over; -1: no limit. Then
   * receives a batch at once. To be called when {@link #receive} has none.
   */
  public void await(int socket, long waitNanos) throws IOException {
    if (!batch.hasRemaining()) {
      fill(NativeBridge.await0(socket, wakeEvent, waitNanos, batch), "poll or recv");
    }
  }

  private void fill(long length, String call) throws IOException {
    batch.clear().limit(0);
    check(length, call);
    batch.limit((int) length);
  }

  /** Ends the present or the next {@link #await}. */
  public void wake() throws IOException {
    check(NativeBridge.setWakeEvent0(wakeEvent), "write to eventfd");
  }

  @Override
  public void close() {
    NativeBridge.closeWakeEvent0(wakeEvent);
  }

  private static void check(long result, String call) throws IOException {
    if (result < 0) {
      throw new IOException(call + ": errno " + -result);
    }
  }
}
