/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.nativelib.NativeBridge;
import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import io.flamespan.correlation.internal.protocol.ElasticThreadRecord;
import io.flamespan.correlation.testing.DecodedRecord;
import io.flamespan.correlation.testing.LogCapturer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Promise: a thread's record belongs to the plug-in that currently mirrors. Between two SDKs of
 * this class loader, that can be the plug-in of another class loader.
 */
class MirrorRunsTest {
  private static final ContextKey<String> KEY = ContextKey.named("key");
  private static final long NEIGHBOUR = 0x1122334455667788L;

  private final RunningMirror running = new RunningMirror();
  private final ContextMirror mirror = running.mirror;
  private final ContextStorage storage = new MirroredThreadLocalStorage(mirror);
  private final Span root = running.span(Context.root());
  private final Context inRoot = Context.root().with(root);

  @AfterEach
  void stop() {
    running.close();
    NativeLibrary.hideAllThreads(); // the records that the neighbour wrote
  }

  /** Runs the test on a new thread, which has no mirror from other tests. */
  private static void onNewThread(Runnable test) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      thread.submit(test).get();
    } finally {
      thread.shutdown();
    }
  }

  @Test
  void spanOfAnotherSdk_thatFails_isAskedOnce() {
    AtomicInteger questions = new AtomicInteger();
    Span failing =
        (Span)
            Proxy.newProxyInstance(
                Span.class.getClassLoader(),
                new Class<?>[] {Span.class},
                (proxy, method, arguments) -> {
                  if (method.isDefault()) {
                    return InvocationHandler.invokeDefault(proxy, method, arguments);
                  }
                  questions.incrementAndGet();
                  throw new IllegalStateException("requested by the test");
                });
    Context withSpan = Context.root().with(failing);
    ContextStorage ofOtherSdk = new MirroredThreadLocalStorage(new ContextMirror(span -> {}));
    for (int i = 0; i < 3; i++) {
      try (Scope scope = ofOtherSdk.attach(withSpan)) {
        assertThat(ofOtherSdk.current()).isSameAs(withSpan);
      }
    }
    assertThat(questions).hasValue(1);
  }

  @Test
  void reportOfAnotherSdk_thatFails_isTriedOnceAndTheContextIsCurrent() {
    AtomicInteger reports = new AtomicInteger();
    ContextMirror failing =
        new ContextMirror(
            span -> {
              reports.incrementAndGet();
              throw new NoClassDefFoundError("requested by the test");
            });
    ContextStorage ofOtherSdk = new MirroredThreadLocalStorage(failing);
    try (LogCapturer log = new LogCapturer()) {
      for (int i = 0; i < 3; i++) {
        try (Scope scope = ofOtherSdk.attach(inRoot)) {
          assertThat(ofOtherSdk.current()).isSameAs(inRoot);
        }
        assertThat(ofOtherSdk.current()).isNotSameAs(inRoot);
      }
      assertThat(reports).hasValue(1);
      assertThat(log.warnings()).hasSize(1);
    }
  }

  private static void neighbourShowsItsSpan() {
    new ElasticThreadRecord(NativeBridge.threadRecord0())
        .showSpan((byte) 1, NEIGHBOUR, NEIGHBOUR, NEIGHBOUR, NEIGHBOUR);
  }

  @Test
  void sameSpan_afterRestart_isShownAgain() throws Exception {
    onNewThread(this::showSameSpanAfterRestart);
  }

  private void showSameSpanAfterRestart() {
    try (Scope before = storage.attach(inRoot)) {
      mirror.stop();
      assertThat(DecodedRecord.ofCurrentThread().showsNoTrace()).isTrue();
      running.start();
      try (Scope after = storage.attach(Context.root().with(root))) {
        assertThat(DecodedRecord.ofCurrentThread().shows(root, root)).isTrue();
      }
    }
  }

  @Test
  void span_stillCurrentAfterRestart_isShownWhenAScopeWithinCloses() throws Exception {
    onNewThread(this::returnToSpanAfterRestart);
  }

  private void returnToSpanAfterRestart() {
    try (Scope before = storage.attach(inRoot)) {
      mirror.stop();
      storage.attach(inRoot.with(KEY, "value")).close();
      running.start();
      storage.attach(inRoot.with(running.span(inRoot))).close();
      assertThat(DecodedRecord.ofCurrentThread().shows(root, root)).isTrue();
    }
  }

  @Test
  void child_afterANeighbourWroteTheRecord_isShownWithItsOwnTrace() throws Exception {
    onNewThread(this::showChildAfterNeighbour);
  }

  private void showChildAfterNeighbour() {
    Span child = running.span(inRoot);
    try (Scope before = storage.attach(inRoot)) {
      mirror.stop();
      neighbourShowsItsSpan();
      running.start();
      try (Scope after = storage.attach(inRoot.with(child))) {
        assertThat(DecodedRecord.ofCurrentThread().shows(child, root)).isTrue();
      }
      assertThat(DecodedRecord.ofCurrentThread().shows(root, root)).isTrue();
    }
  }

  @Test
  void scope_closedAfterTheStop_leavesTheNeighboursRecord() throws Exception {
    onNewThread(this::closeScopeAfterStop);
  }

  private void closeScopeAfterStop() {
    try (Scope before = storage.attach(inRoot)) {
      mirror.stop();
      neighbourShowsItsSpan();
    }
    assertThat(DecodedRecord.ofCurrentThread().tracePresent()).isOne();
  }

  @Test
  void thread_leftWithATraceByANeighbour_showsNoneInTheNextRun() throws Exception {
    onNewThread(this::enterAfterNeighbour);
  }

  private void enterAfterNeighbour() {
    storage.attach(inRoot).close();
    mirror.stop();
    neighbourShowsItsSpan();
    running.start();
    try (Scope none = storage.attach(Context.root().with(KEY, "value"))) {
      assertThat(DecodedRecord.ofCurrentThread().showsNoTrace()).isTrue();
    }
  }
}
