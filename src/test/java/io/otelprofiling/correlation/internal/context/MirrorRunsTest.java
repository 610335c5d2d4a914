/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.otelprofiling.correlation.internal.memory.ThreadStorage;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.span.LocalRootSpans;
import io.otelprofiling.correlation.internal.span.LocalRootTracker;
import io.otelprofiling.correlation.testing.LoadedLibrary;
import io.otelprofiling.correlation.testing.ThreadRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Promise: a thread's record belongs to whoever mirrors at the time, which may be the plug-in in
 * another class loader between two SDKs of this one.
 */
class MirrorRunsTest {
  private static final long NEIGHBOUR = 0x1122334455667788L;

  private final LocalRootSpans localRoots = new LocalRootSpans();
  private final ContextMirror mirror = new ContextMirror(localRoots);
  private final ContextStorage storage = new ThreadContextStorage(mirror);
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder()
          .addSpanProcessor(
              new LocalRootTracker(localRoots, () -> null, CompletableResultCode::ofSuccess))
          .build();
  private final Span root = span(Context.root());
  private final Context inRoot = Context.root().with(root);

  @BeforeAll
  static void loadLibrary() {
    LoadedLibrary.load();
  }

  @BeforeEach
  void start() {
    mirror.start(true);
  }

  @AfterEach
  void stop() {
    mirror.stop();
    provider.close();
  }

  private Span span(Context parent) {
    return provider.get("test").spanBuilder("span").setParent(parent).startSpan();
  }

  private static void neighbourShowsItsSpan() {
    new ThreadStorage(NativeLibrary.threadRecord())
        .showSpan((byte) 1, NEIGHBOUR, NEIGHBOUR, NEIGHBOUR, NEIGHBOUR);
  }

  @Test
  void sameSpan_afterRestart_isShownAgain() {
    try (Scope before = storage.attach(inRoot)) {
      mirror.stop();
      assertThat(ThreadRecord.ofCurrentThread().showsNoTrace()).isTrue();
      mirror.start(true);
      try (Scope after = storage.attach(Context.root().with(root))) {
        assertThat(ThreadRecord.ofCurrentThread().shows(root, root)).isTrue();
      }
    }
  }

  @Test
  void child_afterANeighbourWroteTheRecord_isShownWithItsOwnTrace() {
    Span child = span(inRoot);
    try (Scope before = storage.attach(inRoot)) {
      mirror.stop();
      neighbourShowsItsSpan();
      mirror.start(true);
      try (Scope after = storage.attach(inRoot.with(child))) {
        assertThat(ThreadRecord.ofCurrentThread().shows(child, root)).isTrue();
      }
      assertThat(ThreadRecord.ofCurrentThread().shows(root, root)).isTrue();
    }
  }

  @Test
  void scope_closedAfterTheStop_leavesTheNeighboursRecord() {
    try (Scope before = storage.attach(inRoot)) {
      mirror.stop();
      neighbourShowsItsSpan();
    }
    assertThat(ThreadRecord.ofCurrentThread().tracePresent()).isOne();
  }
}
