/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Moves datagrams from a bound socket to memory as they arrive, on a daemon thread. Any thread may
 * call {@link #wake}, one thread {@link #await}, and one thread at a time the other methods.
 */
public interface Receiver {
  /** The length in bytes of the longest datagram that is received completely. */
  int MAX_DATAGRAM = 1 << 16;

  /**
   * The maximum number of bytes of the datagrams that have left the socket and wait to be received,
   * including four bytes for the length of each. Of a datagram longer than {@link #MAX_DATAGRAM},
   * only the length may be counted.
   */
  int MAX_STORED_BYTES = NativeReceiver.RING_SIZE + NativeReceiver.BATCH_CAPACITY;

  /**
   * Takes the next datagram.
   *
   * @param target receives the datagram, flipped; filled to its capacity if the datagram does not
   *     fit
   * @return false if no datagrams wait, here or in the socket
   */
  boolean receive(ByteBuffer target) throws IOException;

  /**
   * Sleeps until there is a datagram, {@link #wake} is called, or the time has elapsed. Must be
   * called after {@link #receive} has returned false to some thread.
   */
  void await(long waitNanos) throws IOException;

  /**
   * Lets the thread that awaits datagrams sleep for this time, because the caller will receive
   * again by then.
   */
  void promise(long withinNanos);

  /** Ends the current or the next {@link #await}. Must not be called after {@link #close}. */
  void wake();

  /** Ends the thread. The socket stays open. */
  void close();
}
