/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.threads;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Step;
import io.flamespan.correlation.internal.log.Trouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The only thread of the plug-in that touches files, because a file system may never answer. It
 * runs operations one after the other, and ends when none is left. An operation hangs if it has not
 * ended for ten seconds in which the thread has only waited; on a busy machine, it may lack CPU
 * time for longer. Thread-safe.
 */
public final class FilesThread {
  private static final long HANGS_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long REPORT_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int LOOKS = 10; // until an operation hangs
  private static final int MOST_LOOKS = 6 * LOOKS;
  private static final Path THREAD = Paths.get("/proc/thread-self");

  private static final class Queued {
    final Step operation;
    volatile String name;
    volatile long beginNanos = System.nanoTime();

    Queued(String name, Step operation) {
      this.name = name;
      this.operation = operation;
    }
  }

  private final Queue<Queued> queue = new ConcurrentLinkedQueue<>(); // its head is running
  private final LastingThread thread =
      new LastingThread(
          "flamespan-files",
          this::round,
          new RateLimitedLogger(FilesThread.class),
          "An operation on a file failed");
  private final long hangsNanos;
  private volatile long nextReport = System.nanoTime();
  private volatile @Nullable Path stat; // of the thread, or null if unknown
  private @Nullable Thread known; // whose file that is; used by the thread only

  /** Prepares the thread. */
  public FilesThread() {
    this(HANGS_NANOS);
  }

  FilesThread(long hangsNanos) {
    this.hangsNanos = hangsNanos;
  }

  /**
   * Runs an operation after all earlier ones. Does not wait for it.
   *
   * @param name what the operation does with which path, for messages: "writing /tmp/a"
   * @throws OutOfMemoryError if there is no memory or thread for it; it then never runs
   */
  public void execute(String name, Step operation) {
    Queued queued = new Queued(name, operation);
    queue.add(queued);
    try {
      thread.wake();
    } catch (RuntimeException | Error e) {
      if (queue.remove(queued)) {
        throw e;
      }
    }
  }

  /**
   * Runs an operation after all earlier ones, and waits for its result until it hangs, or up to a
   * minute. If it has not begun by then, it never runs.
   *
   * @param undo receives a result that comes later
   * @throws IOException if the operation does not end in time; the message names it
   */
  public <T> T call(String name, Callable<T> operation, Consumer<T> undo) throws Exception {
    FutureTask<T> task =
        new FutureTask<T>(operation) {
          @Override
          protected void set(T value) {
            super.set(value);
            if (isCancelled()) {
              undo.accept(value);
            }
          }
        };
    execute(name, task::run);
    try {
      return awaitResult(task);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof Error) {
        throw (Error) cause;
      }
      throw (Exception) cause;
    }
  }

  private <T> T awaitResult(FutureTask<T> task) throws ExecutionException, IOException {
    boolean interrupted = false;
    int left = LOOKS;
    int looks = 0;
    long next = System.nanoTime() + hangsNanos / LOOKS;
    try {
      while (true) {
        try {
          return task.get(Math.max(0, next - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (TimeoutException e) {
          next = System.nanoTime() + hangsNanos / LOOKS;
          left = isComputing() ? LOOKS : left - 1;
          boolean hangs = left <= 0 || ++looks >= MOST_LOOKS;
          if (hangs && task.cancel(false)) {
            nextReport = System.nanoTime() + REPORT_AGAIN_NANOS; // the caller reports this one
            throw new IOException(hanging(queue.peek()));
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns whether the thread uses a CPU or waits for one. */
  private boolean isComputing() {
    Path file = stat;
    try {
      String fields = file == null ? "" : new String(Files.readAllBytes(file), ISO_8859_1);
      return fields.startsWith("R", fields.lastIndexOf(')') + 2); // what precedes is its name
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** For {@link #isComputing}. */
  private void know(Thread current) {
    if (known != current) {
      known = current;
      try {
        stat = THREAD.resolveSibling(Files.readSymbolicLink(THREAD)).resolve("stat");
      } catch (IOException | RuntimeException e) {
        stat = null;
      }
    }
  }

  /** Names the part of the running operation that follows. Called by this operation. */
  public void enter(String name) {
    Queued running = queue.peek();
    if (running != null) {
      running.name = name;
    }
  }

  /**
   * Waits for the operations that were given so far. Reports one that hangs.
   *
   * @return false if they have not ended within this time
   */
  public boolean await(long millis) {
    if (queue.isEmpty()) {
      return true;
    }
    CountDownLatch ended = new CountDownLatch(1);
    execute("waiting", ended::countDown);
    try {
      if (ended.await(millis, TimeUnit.MILLISECONDS)) {
        return true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    Queued running = queue.peek();
    if (running != null && !isComputing()) {
      report(running);
    }
    return false;
  }

  /**
   * Reports an operation that has not ended for ten seconds, at most once a minute.
   *
   * @return nanoseconds until the next call, or {@link LastingThread#FOREVER} if nothing runs
   */
  public long reportIfHanging() {
    Queued running = queue.peek();
    if (running == null) {
      return LastingThread.FOREVER;
    }
    if (!thread.isAlive()) {
      thread.wake(); // an error has ended it
    }
    long left = running.beginNanos + hangsNanos - System.nanoTime();
    if (left <= 0 && isComputing()) {
      return hangsNanos / LOOKS;
    }
    return left > 0 ? left : report(running);
  }

  private long report(Queued running) {
    long now = System.nanoTime();
    if (now - nextReport >= 0) {
      nextReport = now + REPORT_AGAIN_NANOS;
      Trouble.warn(
          FilesThread.class,
          "{0}. Spans are exported nevertheless; profilers and tools may not find this process.",
          hanging(running));
    }
    return nextReport - now;
  }

  private static String hanging(@Nullable Queued running) {
    if (running == null) {
      return "an operation on a file took too long";
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - running.beginNanos);
    return "a file system does not answer: "
        + running.name
        + " has not ended for "
        + seconds
        + " s. Check the mount of this path";
  }

  private long round() throws Exception {
    Queued next = queue.peek();
    if (next == null) {
      return LastingThread.END;
    }
    next.beginNanos = System.nanoTime();
    try {
      know(Thread.currentThread());
      next.operation.run();
    } finally {
      queue.poll();
    }
    return 0;
  }
}
