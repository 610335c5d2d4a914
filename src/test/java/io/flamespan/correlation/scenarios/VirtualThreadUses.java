/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.testing.ShownRecord;
import io.flamespan.correlation.testing.ThreadKind;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Ways in which virtual threads are mounted on their carriers and unmounted. */
final class VirtualThreadUses {
  static final List<Scenario> ALL =
      List.of(
          new Scenario("every way to leave the carrier", VirtualThreadUses::leaving),
          new Scenario("with and without trace on the same carriers", VirtualThreadUses::mixed),
          new Scenario("remounted on another carrier", VirtualThreadUses::remounted),
          new Scenario("parked with an open scope", VirtualThreadUses::parked),
          new Scenario("ended by an exception with an open scope", VirtualThreadUses::failed));

  private static void leaving(Stage stage) throws Exception {
    Leaving ways = new Leaving();
    stage.runAll(
        64,
        () -> {
          Span root = stage.root();
          Span child = stage.child(root);
          try (Scope scope = root.makeCurrent()) {
            ways.each(() -> stage.assertShows(root));
            try (Scope childScope = child.makeCurrent()) {
              ways.each(() -> stage.assertShows(child));
            }
            ways.each(() -> stage.assertShows(root));
          }
          ways.each(stage::assertShowsNone);
        });
  }

  private static void mixed(Stage stage) throws Exception {
    Leaving ways = new Leaving();
    Span shared = stage.root();
    stage.runAll(
        100,
        () -> {
          // Every other thread never uses a context.
          if (Thread.currentThread().getId() % 2 == 0) {
            ways.each(() -> assertThat(ShownRecord.showsNoTrace()).isTrue());
            return;
          }
          try (Scope scope = shared.makeCurrent()) {
            ways.each(() -> stage.assertShows(shared));
            try (Scope without = Context.root().makeCurrent()) {
              ways.each(stage::assertShowsNone);
            }
            ways.each(() -> stage.assertShows(shared));
          }
        });
  }

  private static void remounted(Stage stage) throws Exception {
    if (Runtime.getRuntime().availableProcessors() == 1) {
      return; // there is only one carrier
    }
    stage.runAll(
        50,
        () -> {
          Span root = stage.root();
          try (Scope scope = root.makeCurrent()) {
            Set<Long> carriers = new HashSet<>();
            // If no other carrier ever becomes available, the time limit of the thread kind
            // ends this loop.
            while (carriers.size() < 2) {
              carriers.add(ShownRecord.carrier());
              stage.assertShows(root);
              LockSupport.parkNanos(1_000);
              stage.assertShows(root);
              Thread.yield();
            }
          }
          stage.assertShowsNone();
        });
  }

  private static void parked(Stage stage) throws Exception {
    int threads = 100;
    AtomicBoolean first = new AtomicBoolean(true);
    CountDownLatch open = new CountDownLatch(threads - 1);
    CountDownLatch goOn = new CountDownLatch(1);
    stage.runAll(
        threads,
        () -> {
          if (first.getAndSet(false)) {
            open.await();
            stage.runAll(200, stage::assertShowsNone);
            stage.assertShowsNone();
            goOn.countDown();
            return;
          }
          Span root = stage.root();
          try (Scope scope = root.makeCurrent()) {
            open.countDown();
            assertThat(goOn.await(60, TimeUnit.SECONDS)).as("others show no trace").isTrue();
            stage.assertShows(root);
          }
          stage.assertShowsNone();
        });
  }

  private static void failed(Stage stage) throws Exception {
    for (int i = 0; i < 50; i++) {
      assertThatThrownBy(
              () ->
                  stage
                      .kind()
                      .run(
                          () -> {
                            Scope open = stage.root().makeCurrent();
                            Thread.yield();
                            stage.assertShowsCurrent();
                            throw new UnsupportedOperationException();
                          }))
          .hasCauseInstanceOf(UnsupportedOperationException.class);
      stage.runAll(20, stage::assertShowsNone);
    }
  }

  /** The ways in which the JVM unmounts a virtual thread from its carrier, or pins it there. */
  private static final class Leaving {
    private final ReentrantLock lock = new ReentrantLock();
    private final Object monitor = new Object();

    void each(ThreadKind.Step check) throws Exception {
      check.run();
      Thread.yield();
      check.run();
      LockSupport.parkNanos(1_000);
      check.run();
      lock.lock();
      try {
        check.run();
        Thread.yield();
        check.run();
      } finally {
        lock.unlock();
      }
      check.run();
      synchronized (monitor) {
        check.run();
        Thread.yield();
        check.run();
        LockSupport.parkNanos(1_000);
        check.run();
        monitor.wait(0, 1_000);
        check.run();
      }
      check.run();
    }
  }

  private VirtualThreadUses() {}
}
