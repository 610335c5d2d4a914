/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.nativelib.Receiver;
import io.flamespan.correlation.internal.threads.DaemonThread;
import io.flamespan.correlation.internal.threads.LastingThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import jnr.unixsocket.UnixDatagramChannel;

/**
 * Its thread receives through jnr-unixsocket. Datagrams are moved under a lock, so none is in
 * transit while another thread looks.
 */
final class JnrReceiver implements Receiver {
  // As in receiver.c: datagrams wait no longer for a thread that does not keep its promise.
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long END_MILLIS = TimeUnit.SECONDS.toMillis(10);

  private final RateLimitedLogger logger = new RateLimitedLogger(JnrReceiver.class);
  private final JnrSocket socket;
  private final UnixDatagramChannel channel;
  private final Selector selector;
  private final LastingThread thread =
      new LastingThread(
          "flamespan-receiver",
          this::round,
          logger,
          "Receiving from the profiler through jnr failed, retrying");
  private final ByteBuffer datagram = ByteBuffer.allocateDirect(MAX_DATAGRAM);
  private final Queue<byte[]> stored = new ArrayDeque<>();
  private int storedBytes;
  private long promisedUntil = System.nanoTime();
  private boolean woken;
  private volatile boolean stopping;

  JnrReceiver(JnrSocket socket, UnixDatagramChannel channel) throws IOException {
    this.socket = socket;
    this.channel = channel;
    channel.configureBlocking(false);
    selector = channel.provider().openSelector();
    boolean started = false;
    try {
      channel.register(selector, SelectionKey.OP_READ);
      thread.wake();
      started = true;
    } finally {
      if (!started) { // no thread left, for example
        selector.close();
      }
    }
  }

  private long round() throws Exception {
    if (stopping) {
      return LastingThread.END;
    }
    boolean unused = Thread.interrupted(); // otherwise select would not sleep any more
    selector.select();
    selector.selectedKeys().clear();
    while (!stopping && store()) {
      // Each datagram under the lock for itself, so that other threads get it in between.
    }
    awaitRoom();
    return 0;
  }

  /** Moves one datagram. Returns false if no datagram waits, or no room is left. */
  private synchronized boolean store() throws IOException {
    if (!hasRoom() || !read(datagram)) {
      return false;
    }
    byte[] content = new byte[datagram.remaining()];
    datagram.get(content);
    stored.add(content);
    storedBytes += Integer.BYTES + content.length;
    if (stored.size() == 1 || !hasRoom()) {
      notifyAll();
    }
    return true;
  }

  private boolean hasRoom() {
    return storedBytes <= MAX_STORED_BYTES - Integer.BYTES - MAX_DATAGRAM;
  }

  private synchronized void awaitRoom() throws InterruptedException {
    while (!hasRoom() && !stopping) {
      wait();
    }
  }

  private boolean read(ByteBuffer target) throws IOException {
    target.clear();
    if (!socket.hasDatagram()) {
      return false;
    }
    channel.receive(target);
    target.flip();
    return true;
  }

  @Override
  public synchronized boolean receive(ByteBuffer target) throws IOException {
    byte[] content = stored.poll();
    if (content == null) {
      return read(target);
    }
    boolean hadRoom = hasRoom();
    storedBytes -= Integer.BYTES + content.length;
    if (!hadRoom && hasRoom()) {
      notifyAll();
    }
    target.clear();
    target.put(content, 0, Math.min(content.length, target.capacity())).flip();
    return true;
  }

  @Override
  public synchronized void await(long waitNanos) {
    long end = System.nanoTime() + waitNanos;
    try {
      while (!woken) {
        long left = left(end);
        if (left <= 0) {
          break;
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      // Wakes the thread, and does nothing else.
    }
    woken = false;
  }

  private long left(long end) {
    long now = System.nanoTime();
    if (stored.isEmpty()) {
      return end - now;
    }
    return hasRoom() ? Math.min(end - now, promisedUntil - now) : 0;
  }

  @Override
  public synchronized void promise(long withinNanos) {
    promisedUntil = System.nanoTime() + Math.min(withinNanos, PATIENCE_NANOS);
  }

  @Override
  public synchronized void wake() {
    woken = true;
    notifyAll();
  }

  @Override
  public void close() {
    stopping = true;
    selector.wakeup();
    wake();
    Thread running = thread.thread();
    if (running != null && !DaemonThread.awaitEnd(running, END_MILLIS)) {
      logger.warn("The thread that receives from the profiler did not end");
      return;
    }
    try {
      selector.close();
    } catch (IOException e) {
      logger.warn("The selector of the profiler socket was not closed", e);
    }
  }
}
