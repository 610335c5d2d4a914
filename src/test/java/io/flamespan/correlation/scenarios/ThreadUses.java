/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.testing.ThreadKind;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Ways to pass work from one thread to others, with and without its context. */
final class ThreadUses {
  static final List<Scenario> ALL =
      List.of(
          new Scenario("an executor that passes the context on", ThreadUses::wrappedExecutor),
          new Scenario("completable futures, wrapped and not", ThreadUses::futures),
          new Scenario("futures of the common pool", ThreadUses::futuresOfTheCommonPool),
          new Scenario("a parallel stream", ThreadUses::parallelStream),
          new Scenario("tasks that throw", ThreadUses::throwingTasks),
          new Scenario("one span on several threads at once", ThreadUses::oneSpanOnSeveral));

  private static void wrappedExecutor(Stage stage) throws Exception {
    ExecutorService pool = stage.pool(3);
    ExecutorService wrapped = Context.taskWrapping(pool);
    for (int i = 0; i < 10; i++) {
      Span root = stage.root();
      Span child = stage.child(root);
      Callable<Void> task =
          () -> {
            stage.assertShows(root);
            try (Scope scope = child.makeCurrent()) {
              stage.assertShows(child);
            }
            stage.assertShows(root);
            return null;
          };
      try (Scope scope = root.makeCurrent()) {
        wrapped.submit(task).get();
        for (Future<Void> done : wrapped.invokeAll(Collections.nCopies(10, task))) {
          done.get();
        }
        stage.assertShows(root);
        onAll(pool, 3, stage::assertShowsNone);
      }
      Stage.on(wrapped, stage::assertShowsNone);
    }
  }

  /** Runs the step once on each thread of a pool. */
  private static void onAll(ExecutorService pool, int threads, ThreadKind.Step step)
      throws Exception {
    CyclicBarrier together = new CyclicBarrier(threads);
    Callable<Void> task =
        () -> {
          together.await(60, TimeUnit.SECONDS);
          step.run();
          return null;
        };
    for (Future<Void> done : pool.invokeAll(Collections.nCopies(threads, task))) {
      done.get();
    }
  }

  private static void futures(Stage stage) throws Exception {
    ExecutorService pool = stage.pool(2);
    Span root = stage.root();
    Span child = stage.child(root);
    Context context = Stage.with(child);
    try (Scope scope = root.makeCurrent()) {
      CompletableFuture<Integer> result =
          CompletableFuture.supplyAsync(context.wrapSupplier(() -> shows(stage, child, 1)), pool)
              .thenApplyAsync(
                  Context.current().wrapFunction(value -> shows(stage, root, value)), pool)
              .thenApplyAsync(value -> showsNone(stage, value), pool)
              .thenApplyAsync(context.wrapFunction(value -> shows(stage, child, value)), pool)
              .thenApply(value -> showsCurrent(stage, value));
      assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo(1);
      stage.assertShows(root);
    }
    onAll(pool, 2, stage::assertShowsNone);
  }

  private static void futuresOfTheCommonPool(Stage stage) throws Exception {
    Span root = stage.root();
    Context context = Stage.with(stage.child(root));
    try (Scope scope = root.makeCurrent()) {
      CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> showsNone(stage, 1));
      CompletableFuture<Integer> second =
          CompletableFuture.supplyAsync(context.wrapSupplier(() -> showsCurrent(stage, 1)));
      CompletableFuture<Integer> both =
          first
              .thenCombineAsync(
                  second,
                  Context.current()
                      .wrapFunction((Integer a, Integer b) -> shows(stage, root, a + b)))
              .thenApplyAsync(value -> showsNone(stage, value));
      assertThat(both.get(60, TimeUnit.SECONDS)).isEqualTo(2);
    }
    onCommonPool(stage::assertShowsNone);
  }

  private static <T> T shows(Stage stage, Span span, T value) {
    stage.assertShows(span);
    return value;
  }

  private static <T> T showsNone(Stage stage, T value) {
    stage.assertShowsNone();
    return value;
  }

  private static <T> T showsCurrent(Stage stage, T value) {
    stage.assertShowsCurrent();
    return value;
  }

  private static void parallelStream(Stage stage) throws Exception {
    Thread caller = Thread.currentThread();
    Span root = stage.root();
    Span child = stage.child(root);
    Context context = Stage.with(child);
    try (Scope scope = root.makeCurrent()) {
      IntStream.range(0, 2_000)
          .parallel()
          .boxed()
          .map(context.wrapFunction(i -> shows(stage, child, i)))
          .map(i -> onItsThread(stage, caller, root, i))
          .forEach(Context.current().wrapConsumer(i -> stage.assertShows(root)));
      stage.assertShows(root);
      onCommonPool(stage::assertShowsNone);
    }
    stage.assertShowsNone();
  }

  /** Checks a thread without a propagated context. The thread may be the caller. */
  private static <T> T onItsThread(Stage stage, Thread caller, Span ofCaller, T value) {
    return Thread.currentThread() == caller
        ? shows(stage, ofCaller, value)
        : showsNone(stage, value);
  }

  /** Runs the step as tasks on the pool's workers, without help from the caller. */
  private static void onCommonPool(ThreadKind.Step step) throws Exception {
    for (int i = 0; i < 64; i++) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      ForkJoinPool.commonPool()
          .execute(
              () -> {
                try {
                  step.run();
                  done.complete(null);
                } catch (Throwable e) {
                  done.completeExceptionally(e);
                }
              });
      done.get(60, TimeUnit.SECONDS);
    }
  }

  private static void throwingTasks(Stage stage) throws Exception {
    ExecutorService worker = stage.worker();
    ExecutorService wrapped = Context.taskWrapping(worker);
    Span root = stage.root();
    Span child = stage.child(root);
    try (Scope scope = root.makeCurrent()) {
      Future<?> failed =
          wrapped.submit(
              () -> {
                try (Scope inner = child.makeCurrent()) {
                  stage.assertShows(child);
                  throw new UnsupportedOperationException();
                } finally {
                  stage.assertShows(root);
                }
              });
      assertThatThrownBy(failed::get).hasCauseInstanceOf(UnsupportedOperationException.class);
    }
    Stage.on(worker, stage::assertShowsNone);
  }

  private static void oneSpanOnSeveral(Stage stage) throws Exception {
    int threads = 8;
    CyclicBarrier together = new CyclicBarrier(threads);
    Span root = stage.root();
    Span child = stage.child(root);
    Context context = Stage.with(child);
    stage.runAll(
        threads,
        () -> {
          // Each time a different thread closes first, while the others continue.
          for (int i = 0; i < 20; i++) {
            boolean sameContext = together.await(60, TimeUnit.SECONDS) % 2 == 0;
            try (Scope scope = sameContext ? context.makeCurrent() : child.makeCurrent()) {
              stage.assertShows(child);
              together.await(60, TimeUnit.SECONDS);
              stage.assertShows(child);
            }
            stage.assertShowsNone();
            int arrival = together.await(60, TimeUnit.SECONDS);
            try (Scope scope = root.makeCurrent()) {
              stage.assertShows(root);
              if (arrival < threads / 2) {
                together.await(60, TimeUnit.SECONDS);
              }
              stage.assertShows(root);
            }
            stage.assertShowsNone();
            if (arrival >= threads / 2) {
              together.await(60, TimeUnit.SECONDS);
            }
          }
        });
  }

  private ThreadUses() {}
}
