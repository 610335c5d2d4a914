/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.scenarios.SampledTraces;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DecidingSampler;
import io.flamespan.correlation.testing.DecodedRecord;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.ShownRecord;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Promise: a thread's record shows the span that is current on this thread, or no trace. */
class MirroredContextTest {
  private CorrelatedSdk app;

  @BeforeEach
  void start() {
    app = CorrelatedSdk.start(PREFIX_ENABLED, "auto");
  }

  private static final String PREFIX_ENABLED = CorrelatedSdk.PREFIX + "enabled";

  @AfterEach
  void noTraceIsLeftBehind() {
    assertThat(record().showsNoTrace()).isTrue();
    app.close();
  }

  private static DecodedRecord record() {
    DecodedRecord shown = ShownRecord.ofCurrentCarrier();
    return shown == null ? DecodedRecord.ofCurrentThread() : shown;
  }

  private Span span(String name) {
    return app.span(name);
  }

  @Nested
  class LocalTraces {
    @Test
    void root_current_isItsOwnLocalRoot() {
      Span root = span("root");
      try (Scope scope = root.makeCurrent()) {
        assertThat(record().shows(root, root)).isTrue();
      }
      assertThat(record().showsNoTrace()).isTrue();
    }

    @Test
    void child_current_showsTheRootAndLeavesItShown() {
      Span root = span("root");
      try (Scope rootScope = root.makeCurrent()) {
        Span child = span("child");
        try (Scope childScope = child.makeCurrent()) {
          Span grandchild = span("grandchild");
          try (Scope grandchildScope = grandchild.makeCurrent()) {
            assertThat(record().shows(grandchild, root)).isTrue();
          }
          assertThat(record().shows(child, root)).isTrue();
        }
        assertThat(record().shows(root, root)).isTrue();
      }
    }

    @Test
    void span_belowRemoteParent_isALocalRoot() {
      Context remote = SampledTraces.received();
      Span root = app.tracer().spanBuilder("server").setParent(remote).startSpan();
      try (Scope scope = root.makeCurrent()) {
        assertThat(record().shows(root, root)).isTrue();
        Span child = span("child");
        try (Scope childScope = child.makeCurrent()) {
          assertThat(record().shows(child, root)).isTrue();
        }
      }
    }
  }

  private static final ContextKey<String> KEY = ContextKey.named("key");

  @Nested
  class NoTrace {
    @Test
    void remoteSpan_current_showsNoTrace() {
      try (LogCapturer log = new LogCapturer()) {
        Span root = span("root");
        try (Scope rootScope = root.makeCurrent();
            Scope scope = SampledTraces.received().makeCurrent()) {
          assertThat(record().showsNoTrace()).isTrue();
        }
        assertThat(log.messages(Level.FINE)).isEmpty();
      }
    }

    @Test
    void invalidOrNoSpan_current_showsNoTrace() {
      Span root = span("root");
      try (Scope rootScope = root.makeCurrent()) {
        try (Scope scope = Span.getInvalid().makeCurrent()) {
          assertThat(record().showsNoTrace()).isTrue();
        }
        try (Scope scope = Context.root().makeCurrent()) {
          assertThat(record().showsNoTrace()).isTrue();
        }
        assertThat(record().shows(root, root)).isTrue();
      }
    }

    @Test
    void droppedSpan_current_showsNoTraceAndLogsNothing() {
      app.close();
      app = CorrelatedSdk.start("otel.traces.sampler", "always_off");
      try (LogCapturer log = new LogCapturer()) {
        Span dropped = span("dropped");
        assertThat(dropped.isRecording()).isFalse();
        try (Scope scope = dropped.makeCurrent()) {
          assertThat(record().showsNoTrace()).isTrue();
        }
        assertThat(log.messages(Level.FINE)).isEmpty();
      }
    }
  }

  @Test
  void recordOnlySpan_current_isShownWithItsFlags() {
    app.close();
    app = CorrelatedSdk.startWith(new DecidingSampler((name, kind) -> SamplingResult.recordOnly()));
    Span root = span("record only");
    assertThat(root.getSpanContext().isSampled()).isFalse();
    try (Scope scope = root.makeCurrent()) {
      assertThat(record().shows(root, root)).isTrue();
      assertThat(record().traceFlags() & 1).isZero();
    }
  }

  @Test
  void context_madeCurrent_isTheSameInstance() {
    Context context = Context.current().with(span("root")).with(KEY, "value");
    try (Scope scope = context.makeCurrent()) {
      assertThat(Context.current()).isSameAs(context);
    }
  }

  @Test
  void thread_switchingAfterShutdown_showsNoTrace() {
    Span root = span("root");
    try (Scope scope = root.makeCurrent()) {
      app.close();
      try (Scope next = Context.current().with(KEY, "value").makeCurrent()) {
        assertThat(record().showsNoTrace()).isTrue();
      }
    }
  }
}
