/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.testing.VirtualThreadFactory;
import io.opentelemetry.api.OpenTelemetry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;

/**
 * Uses spans and contexts as an application does, from many places and on several threads, before
 * anything is measured. The JIT optimizes the plug-in for what it has seen: in a process that only
 * runs one benchmark, the figures are better or worse than in applications, at random. The amount
 * of work is fixed, so all forks and modes have seen the same.
 */
final class RealisticWarmUp {
  private static final int CALLERS = 2;
  private static final int REQUESTS = 8_000;
  private static final int VIRTUAL_THREADS = 400;
  private static final int REQUESTS_OF_VIRTUAL_THREAD = 5;

  private RealisticWarmUp() {}

  /** Returns when all spans of the warm-up have ended. Afterwards no context is current. */
  static void run(OpenTelemetry sdk) {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    try {
      List<Future<?>> others = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        others.add(callers.submit(() -> serve(sdk, pool, REQUESTS)));
      }
      serve(sdk, pool, REQUESTS); // on the thread that will be measured
      if (Runtime.version().feature() >= 21) {
        serveOnVirtualThreads(sdk, pool);
      }
      for (Future<?> other : others) {
        other.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("the warm-up failed", e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    } finally {
      callers.shutdown();
      pool.shutdown();
    }
  }

  private static void serve(OpenTelemetry sdk, ExecutorService pool, int requests) {
    WarmUpRequests all = new WarmUpRequests(sdk, pool);
    for (int i = 0; i < requests; i++) {
      all.serve();
    }
    all.close();
  }

  private static void serveOnVirtualThreads(OpenTelemetry sdk, ExecutorService pool)
      throws InterruptedException {
    ThreadFactory virtual = VirtualThreadFactory.create();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < VIRTUAL_THREADS; i++) {
      threads.add(virtual.newThread(() -> serve(sdk, pool, REQUESTS_OF_VIRTUAL_THREAD)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
