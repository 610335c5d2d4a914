/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.transport;

import io.otelprofiling.correlation.internal.log.Trouble;
import io.otelprofiling.correlation.internal.nativelib.Receiver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import jnr.unixsocket.UnixDatagramChannel;

/**
 * Receives through jnr-unixsocket. Datagrams stay in the socket until they are received: another
 * thread that moves them would run Java code, too, and get a CPU no earlier.
 */
final class JnrReceiver implements Receiver {
  private final JnrSocket socket;
  private final UnixDatagramChannel channel;
  private final Selector selector;
  private final AtomicBoolean woken = new AtomicBoolean(); // since the last await

  JnrReceiver(JnrSocket socket, UnixDatagramChannel channel) throws IOException {
    this.socket = socket;
    this.channel = channel;
    channel.configureBlocking(false);
    selector = channel.provider().openSelector();
    try {
      channel.register(selector, SelectionKey.OP_READ);
    } catch (Throwable e) {
      selector.close();
      throw e;
    }
  }

  @Override
  public boolean receive(ByteBuffer target) throws IOException {
    target.clear();
    if (!socket.hasDatagram()) {
      return false;
    }
    channel.receive(target);
    target.flip();
    return true;
  }

  @Override
  public void await(long waitNanos) throws IOException {
    boolean unused = Thread.interrupted(); // otherwise select would not sleep any more
    long millis = TimeUnit.NANOSECONDS.toMillis(waitNanos);
    try {
      if (waitNanos < 0) {
        selector.select();
      } else {
        selector.select(Math.max(1, Math.min(millis, Integer.MAX_VALUE))); // jnr casts it
      }
      selector.selectedKeys().clear();
    } finally {
      woken.set(false);
    }
  }

  /** Does nothing: a thread that sleeps here is woken by each datagram. */
  @Override
  public void promise(long withinNanos) {}

  @Override
  public void wake() {
    if (woken.compareAndSet(false, true)) { // each wake-up writes to a pipe, which might be full
      selector.wakeup();
    }
  }

  @Override
  public void close() {
    try {
      selector.close();
    } catch (IOException e) {
      Trouble.warn(JnrReceiver.class, "The selector of the profiler socket was not closed", e);
    }
  }
}
