/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.ShownRecord;
import io.flamespan.correlation.testing.ThreadKind;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Promise: after the shutdown of the SDK, no thread shows a trace, and contexts are unchanged. */
class StoppedThreadsTest {
  private static final ContextKey<String> KEY = ContextKey.named("key");

  @ParameterizedTest
  @EnumSource(ThreadKind.class)
  void waitingThread_whenTheSdkIsShutDown_showsNoTrace(ThreadKind kind) throws Exception {
    ThreadFactory threads = kind.factory();
    CountDownLatch shown = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicReference<Boolean> showsNoTrace = new AtomicReference<>();
    CorrelatedSdk app = CorrelatedSdk.start("otel.traces.exporter", "none");
    Span span = app.span("root");
    Thread thread =
        threads.newThread(
            () -> {
              try (Scope scope = span.makeCurrent()) {
                shown.countDown();
                goOn.await();
                showsNoTrace.set(ShownRecord.showsNoTrace());
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    thread.start();
    shown.await();
    app.close();
    goOn.countDown();
    thread.join();

    assertThat(showsNoTrace.get()).isTrue();
  }

  @Test
  void scope_thatOutlivesTheSdk_keepsItsContextCurrent() throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    CorrelatedSdk app = CorrelatedSdk.start("otel.traces.exporter", "none");
    Context held = Context.root().with(KEY, "held");
    Context left = Context.root().with(KEY, "left");
    Scope outer = pool.submit(() -> left.makeCurrent()).get();
    Scope inner = pool.submit(() -> held.makeCurrent()).get();
    app.close();
    System.gc();
    assertThat(pool.submit(Context::current).get()).isSameAs(held);
    pool.submit(inner::close).get();
    System.gc();
    assertThat(pool.submit(Context::current).get()).isSameAs(left);
    pool.submit(outer::close).get();
    assertThat(pool.submit(Context::current).get()).isSameAs(Context.root());

    // The next SDK works as usual.
    CorrelatedSdk next = CorrelatedSdk.start("otel.traces.exporter", "none");
    Span span = next.span("root");
    boolean shows =
        pool.submit(
                () -> {
                  try (Scope scope = span.makeCurrent()) {
                    return ShownRecord.shows(span, span);
                  }
                })
            .get();
    next.close();
    pool.shutdown();
    assertThat(shows).isTrue();
    assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
  }
}
