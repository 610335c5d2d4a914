/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.chaos;

import io.flamespan.testbed.chaos.Requests.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** What requests do that a profiler within the process may not take well. */
final class Disturbances {
  private static final int DEPTH = 1_500;
  private static final byte[] CLASS = bytes(Loaded.class);

  private final ExecutorService pool =
      Executors.newFixedThreadPool(
          3,
          task -> {
            Thread thread = new Thread(task, "pool");
            thread.setDaemon(true);
            return thread;
          });

  /** A class that class loaders define again and again. */
  public static final class Loaded implements Runnable {
    @Override
    public void run() {
      long end = System.nanoTime() + 200_000;
      while (System.nanoTime() < end) {
        // Uses the CPU.
      }
    }
  }

  private static final class Loader extends ClassLoader {
    private Loader() {
      super(Disturbances.class.getClassLoader());
    }

    private Runnable load() throws ReflectiveOperationException {
      Class<?> defined = defineClass(Loaded.class.getName(), CLASS, 0, CLASS.length);
      return (Runnable) defined.getDeclaredConstructor().newInstance();
    }
  }

  private static byte[] bytes(Class<?> type) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String path = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream file = type.getResourceAsStream(path)) {
      for (int next = file.read(); next >= 0; next = file.read()) {
        bytes.write(next);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }

  /** Returns the work of threads that serve requests, one thread each. */
  List<Consumer<Request>> all() {
    Consumer<Request> contention = request -> request.run(this::compete);
    return Arrays.asList(
        request -> request.run(() -> spin(2_000_000)),
        request -> request.run(Disturbances::loadClass),
        request -> request.run(() -> descend(DEPTH)),
        request -> request.run(Disturbances::overflow),
        request -> request.run(Disturbances::collectGarbage),
        contention,
        contention,
        contention,
        this::handOver,
        Disturbances::startThread);
  }

  static void spin(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() < end) {
      // Uses the CPU.
    }
  }

  private static void loadClass() {
    try {
      new Loader().load().run();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void descend(int depth) {
    if (depth == 0) {
      spin(2_000_000);
    } else {
      descend(depth - 1);
    }
  }

  private static int overflow(int depth) {
    return overflow(depth + 1) + 1;
  }

  private static void overflow() {
    try {
      overflow(0);
    } catch (StackOverflowError e) {
      spin(100_000);
    }
  }

  private static void collectGarbage() {
    byte[][] garbage = new byte[64][];
    for (int i = 0; i < garbage.length; i++) {
      garbage[i] = new byte[64 << 10];
    }
    System.gc();
    LockSupport.parkNanos(100_000_000);
  }

  private synchronized void compete() {
    spin(200_000);
  }

  private void handOver(Request request) {
    join(pool.submit(request.elsewhere(() -> spin(300_000))));
  }

  private static void startThread(Request request) {
    Thread thread = new Thread(request.elsewhere(() -> spin(1_000_000)));
    thread.start();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void join(Future<?> task) {
    try {
      task.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a virtual thread does. */
  void onVirtualThread(Request request) {
    request.run(
        () -> {
          spin(50_000);
          LockSupport.parkNanos(50_000);
          Thread.yield();
          compete();
          if (ThreadLocalRandom.current().nextInt(10) == 0) {
            LockSupport.parkNanos(2_000_000); // long enough to be a sample
          }
        });
  }
}
