/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Step;
import io.flamespan.correlation.internal.nativelib.Receiver;
import io.flamespan.correlation.internal.protocol.MessageDecoder;
import io.flamespan.correlation.internal.threads.DaemonThread;
import io.flamespan.correlation.internal.threads.LastingThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Handles the datagrams of profilers. Any thread may request that; otherwise a daemon thread does
 * it on its own initiative. This thread also runs tasks, and sleeps until there is more to do.
 */
public final class Worker {
  /** The result of {@link Upkeep#handOverIfDue} if nothing is due before the next activity. */
  public static final long NOTHING_DUE = Long.MAX_VALUE;

  /** What the worker has others do from time to time while there is activity. */
  public interface Upkeep {
    /** Returns whether the worker must be woken for it. Called on any activity. */
    boolean isRequestDue();

    /**
     * Lets somebody else begin what is due. Called by the worker.
     *
     * @param onRebound runs on any thread after the socket was bound again
     * @return nanoseconds until the next call, or {@link Worker#NOTHING_DUE}
     */
    long handOverIfDue(Runnable onRebound);
  }

  // Longer than any message of a profiler, so a full buffer is an error.
  private static final int BUFFER_LENGTH = Receiver.MAX_DATAGRAM;
  // Due spans must be released even during an endless stream of messages. But a task and a due span
  // come after all messages that have arrived: after everything that the receiver stores,
  // which is 300,000 datagrams if they are empty, and then after more than the kernel's queue
  // holds.
  private static final int MAX_MESSAGES_PER_ROUND = 16_384;
  private static final long END_MILLIS = TimeUnit.SECONDS.toMillis(10);

  private final ProfilerSocket socket;
  private final MessageDecoder decoder;
  private final Upkeep upkeep;
  private final Runnable onHandled;
  private final Runnable wakeUp = this::wake;
  private final Step decode = this::decode;
  private final RateLimitedLogger logger = new RateLimitedLogger(Worker.class);
  // Held while datagrams are handled, and while tasks run, which use what the messages change.
  private final Object handling = new Object();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH);
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final String failure;
  private final LastingThread thread;
  private volatile boolean started;
  private volatile boolean stopping;
  private volatile boolean ended;

  /**
   * Prepares the thread.
   *
   * @param upkeep has the socket's file checked while there is activity
   * @param onHandled runs after datagrams were handled
   */
  public Worker(ProfilerSocket socket, MessageDecoder decoder, Upkeep upkeep, Runnable onHandled) {
    this.socket = socket;
    this.decoder = decoder;
    this.upkeep = upkeep;
    this.onHandled = onHandled;
    this.failure = "The worker of the profiler socket " + socket.path() + " met an error";
    this.thread = new LastingThread("flamespan-worker", this::round, logger, failure);
  }

  /**
   * Starts to receive. The native library must be loaded.
   *
   * @throws IOException if the system does not provide memory or a file descriptor for it
   */
  public void start() throws IOException {
    socket.startReceiving();
    started = true;
    thread.wake();
  }

  /**
   * Runs the task after all datagrams that have arrived by now. Tasks run in order. After the
   * thread has ended, the caller runs the task.
   */
  public void execute(Runnable task) {
    tasks.add(task);
    wake();
    if (ended && tasks.remove(task)) {
      task.run();
    }
  }

  /**
   * Handles all datagrams that have arrived by now, on the caller's thread. Never throws, because
   * the caller has spans to pass on.
   *
   * @param againNanos the time within which the caller will call this again, or 0. Until then, no
   *     thread is woken for datagrams.
   */
  public void handleArrived(long againNanos) {
    try {
      synchronized (handling) {
        if (stopping) {
          return;
        }
        if (!drain()) {
          wake();
        }
        if (againNanos > 0) {
          socket.promise(againNanos);
        }
      }
      if (!thread.isAlive()) {
        wake(); // to handle the rest
      }
      checkFilesIfDue();
    } catch (Throwable e) {
      logger.warn(failure, e);
    }
  }

  /**
   * Wakes the worker if it is time to check whether the socket's file still exists. Must be called
   * on activity, because nothing arrives at a socket without a file. Costs one read of the clock.
   */
  public void checkFilesIfDue() {
    if (upkeep.isRequestDue()) {
      wake();
    }
  }

  private void wake() {
    socket.wake();
    if (started && !ended) {
      thread.wake(); // starts another thread if an error has ended it
    }
  }

  /**
   * Closes the socket and ends the thread. Called by a task, it returns at once. Any other thread
   * waits up to ten seconds for the end, because only the worker may free the memory on which it
   * sleeps.
   */
  public void stop() {
    stopping = true;
    Thread running = thread.thread();
    if (running == null || running == Thread.currentThread() || !running.isAlive()) {
      closeSocket();
      return;
    }
    wake();
    if (DaemonThread.awaitEnd(running, END_MILLIS)) {
      closeSocket(); // an error has already ended the thread
    } else {
      logger.warn("The worker of the profiler socket " + socket.path() + " did not end");
    }
  }

  private void closeSocket() {
    try {
      synchronized (handling) {
        socket.close();
      }
    } catch (IOException e) {
      logger.warn("The profiler socket " + socket.path() + " was not closed", e);
    }
  }

  private long round() throws Exception {
    if (stopping) {
      return finish();
    }
    // Counted before the datagrams are read: a task runs after the datagrams that arrived before
    // it.
    int dueTasks = tasks.size();
    boolean drained;
    long wait = NOTHING_DUE;
    // A failure holds up neither tasks nor the check of the socket, which may be its cause.
    try {
      synchronized (handling) {
        try {
          // Not drained yet after a rebind: a wake-up may have reached only the old receiver.
          drained = drain() && !socket.useRebound();
        } finally {
          runTasks(dueTasks);
        }
      }
    } finally {
      if (!stopping) {
        wait = upkeep.handOverIfDue(wakeUp);
      }
    }
    if (drained && !stopping && tasks.isEmpty()) { // a new receiver does not know of wake-ups
      socket.await(wait);
    }
    return 0;
  }

  private long finish() {
    closeSocket();
    ended = true;
    runTasks(Integer.MAX_VALUE);
    return LastingThread.END;
  }

  private boolean drain() throws Exception {
    long before = decoder.datagrams();
    try {
      return handle();
    } finally {
      if (decoder.datagrams() != before) {
        onHandled.run();
      }
    }
  }

  private boolean handle() throws Exception {
    int stored = Receiver.MAX_STORED_BYTES;
    for (int i = 0; i < MAX_MESSAGES_PER_ROUND; ) {
      if (!socket.receive(buffer)) {
        return true;
      }
      if (stored > 0) {
        stored -= Integer.BYTES + (isTruncated() ? 0 : buffer.limit());
      } else {
        i++;
      }
      boolean unused = logger.attempt("A message of the profiler was not handled", decode);
    }
    return false;
  }

  private boolean isTruncated() {
    return buffer.limit() == buffer.capacity();
  }

  private void decode() {
    if (isTruncated()) {
      decoder.dropTruncated(buffer.limit());
    } else {
      decoder.decode(buffer);
    }
  }

  private void runTasks(int count) {
    for (int i = 0; i < count; i++) {
      Runnable task = tasks.poll();
      if (task == null) {
        return;
      }
      task.run();
    }
  }
}
