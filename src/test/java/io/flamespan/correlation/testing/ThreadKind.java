/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Java's two kinds of threads. */
public enum ThreadKind {
  PLATFORM,
  VIRTUAL;

  // Only ends a test that hangs.
  private static final long LIMIT_SECONDS = 120;

  /** A task of a thread. It may throw any exception. */
  public interface Step {
    void run() throws Exception;
  }

  /** Returns whether this JVM has such threads. */
  public boolean exists() {
    return this == PLATFORM || Runtime.version().feature() >= 21;
  }

  /** Returns a factory of such threads. Skips the test if this JVM has none. */
  public ThreadFactory factory() {
    assumeTrue(exists(), "virtual threads need Java 21");
    return this == VIRTUAL
        ? VirtualThreadFactory.create()
        : task -> {
          Thread thread = new Thread(task);
          thread.setDaemon(true);
          return thread;
        };
  }

  /** Runs the step on a new thread, and waits until it has finished. */
  public void run(Step step) throws Exception {
    runAll(1, step);
  }

  /** Runs the step on this many new threads at once, and waits until all have finished. */
  public void runAll(int count, Step step) throws Exception {
    List<Thread> threads = new ArrayList<>();
    List<FutureTask<?>> tasks = new ArrayList<>();
    ThreadFactory factory = factory();
    for (int i = 0; i < count; i++) {
      FutureTask<?> task =
          new FutureTask<>(
              () -> {
                step.run();
                return null;
              });
      tasks.add(task);
      threads.add(factory.newThread(task));
    }
    threads.forEach(Thread::start);
    for (FutureTask<?> task : tasks) {
      task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
