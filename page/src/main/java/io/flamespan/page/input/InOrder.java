/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs tasks on all processors, and their results on the caller's thread in the order of the tasks.
 * A limit on the size of unfinished tasks bounds the memory.
 */
final class InOrder implements AutoCloseable {
  /** Parsing a message needs many times its size in memory. */
  private static final long LIMIT = Runtime.getRuntime().maxMemory() / 256;

  private record Task(long size, Future<Runnable> result) {}

  private final ExecutorService threads =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
  private final Deque<Task> tasks = new ArrayDeque<>();
  private long size;

  void submit(long taskSize, Callable<Runnable> task) {
    while (!tasks.isEmpty() && size + taskSize > LIMIT) {
      finishOne();
    }
    tasks.addLast(new Task(taskSize, threads.submit(task)));
    size += taskSize;
  }

  void finish() {
    while (!tasks.isEmpty()) {
      finishOne();
    }
  }

  private void finishOne() {
    Task first = tasks.removeFirst();
    size -= first.size();
    try {
      first.result().get().run();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
