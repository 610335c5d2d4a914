/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak.app;

import io.flamespan.correlation.testing.VirtualThreadFactory;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Starts short-lived threads that serve a few requests each, and one long-lived thread. */
final class Load {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  // The computation per request: mostly microseconds, sometimes milliseconds so that it is sampled.
  private static final int SHORT = 20_000;
  private static final int LONG = 400_000;

  private final Deployments deployments;
  private final ThreadFactory threads;
  private final int perSecond;
  private final int atOnce;
  private final int requests;
  private final Semaphore places;
  private final AtomicLong failures = new AtomicLong();
  private volatile boolean ending;
  private volatile long started;

  private Load(
      Deployments deployments, ThreadFactory threads, int perSecond, int atOnce, int requests) {
    this.deployments = deployments;
    this.threads = threads;
    this.perSecond = perSecond;
    this.atOnce = atOnce;
    this.requests = requests;
    this.places = new Semaphore(atOnce);
  }

  static Load virtual(Deployments deployments) {
    return new Load(deployments, VirtualThreadFactory.create(), 4_500, 300, 1);
  }

  static Load platform(Deployments deployments) {
    ThreadFactory threads = task -> new Thread(task, "request");
    return new Load(deployments, threads, 50, 40, 15);
  }

  void begin() {
    new Thread(this::startThreads, "starts-threads").start();
    places.acquireUninterruptibly();
    threads.newThread(this::stay).start();
  }

  private void startThreads() {
    long begin = System.nanoTime();
    long due = 0;
    while (!ending) {
      LockSupport.parkNanos(STEP_NANOS);
      long now = perSecond * (System.nanoTime() - begin) / TimeUnit.SECONDS.toNanos(1);
      // After a pause of the process, the missed load is not made up for.
      due = Math.max(due, now - perSecond / 4);
      for (; due < now && places.tryAcquire(); due++) {
        threads.newThread(this::serve).start();
        started++; // written only by this thread
      }
    }
  }

  private void serve() {
    try {
      for (int i = 0; i < requests && !ending; i++) {
        deployments.request(SHORT);
      }
    } catch (Throwable e) {
      failed(e);
    } finally {
      places.release();
    }
  }

  private void stay() {
    try {
      while (!ending) {
        deployments.request(LONG);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (Throwable e) {
      failed(e);
    } finally {
      places.release();
    }
  }

  private void failed(Throwable e) {
    failures.incrementAndGet();
    e.printStackTrace();
  }

  /** Waits until all requests have ended. */
  void end() throws InterruptedException {
    ending = true;
    places.acquire(atOnce);
  }

  long started() {
    return started;
  }

  long failures() {
    return failures.get();
  }
}
