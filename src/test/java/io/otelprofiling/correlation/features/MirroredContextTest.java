/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.DecodedRecord;
import io.otelprofiling.correlation.testing.LogCapturer;
import io.otelprofiling.correlation.testing.ShownRecord;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Promise: a thread's record shows the span that is current on this thread, or no trace. */
class MirroredContextTest {
  private static final SpanContext REMOTE =
      SpanContext.createFromRemoteParent(
          "0af7651916cd43dd8448eb211c80319c",
          "b7ad6b7169203331",
          TraceFlags.getSampled(),
          TraceState.getDefault());

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
      Context remote = Context.root().with(Span.wrap(REMOTE));
      Span root = app.tracer().spanBuilder("server").setParent(remote).startSpan();
      try (Scope scope = root.makeCurrent()) {
        assertThat(record().shows(root, root)).isTrue();
        Span child = span("child");
        try (Scope childScope = child.makeCurrent()) {
          assertThat(record().shows(child, root)).isTrue();
        }
      }
    }

    @Test
    void child_ofEndedRoot_showsThatRoot() {
      Span root = span("root");
      Context context = Context.root().with(root);
      root.end();
      app.flush();
      Span late = app.tracer().spanBuilder("late").setParent(context).startSpan();
      try (Scope scope = late.makeCurrent()) {
        assertThat(record().shows(late, root)).isTrue();
      }
    }

    @Test
    void secondRoot_ofTheSameTrace_hasItsOwnChildren() {
      Span first = span("first");
      Span firstChild = child(first, "first child");
      Span second = child(Span.wrap(asRemote(first.getSpanContext())), "second");
      Span secondChild = child(second, "second child");
      Span secondGrandchild = child(secondChild, "second grandchild");
      Span laterFirstChild = child(firstChild, "later first child");

      assertShown(first, first);
      assertShown(firstChild, first);
      assertShown(second, second);
      assertShown(secondChild, second);
      assertShown(secondGrandchild, second);
      assertShown(laterFirstChild, first);
      try (Scope scope = firstChild.makeCurrent();
          Scope inner = secondChild.makeCurrent()) {
        assertThat(record().shows(secondChild, second)).isTrue();
      }
    }

    private Span child(Span parent, String name) {
      return app.tracer().spanBuilder(name).setParent(Context.root().with(parent)).startSpan();
    }

    private void assertShown(Span span, Span localRoot) {
      try (Scope scope = span.makeCurrent()) {
        assertThat(record().shows(span, localRoot)).as(span.toString()).isTrue();
      }
    }

    private SpanContext asRemote(SpanContext context) {
      return SpanContext.createFromRemoteParent(
          context.getTraceId(),
          context.getSpanId(),
          context.getTraceFlags(),
          TraceState.getDefault());
    }

    @Test
    void endedSpan_stillCurrent_isShown() {
      Span root = span("root");
      try (Scope scope = root.makeCurrent()) {
        root.end();
        app.flush();
        assertThat(record().shows(root, root)).isTrue();
        try (Scope again = Context.current().with(KEY, "value").makeCurrent()) {
          assertThat(record().shows(root, root)).isTrue();
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
            Scope scope = Span.wrap(REMOTE).makeCurrent()) {
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
    app = CorrelatedSdk.start(sdk -> sdk.addSamplerCustomizer((sampler, config) -> RECORD_ONLY));
    Span root = span("record only");
    assertThat(root.getSpanContext().isSampled()).isFalse();
    try (Scope scope = root.makeCurrent()) {
      assertThat(record().shows(root, root)).isTrue();
      assertThat(record().traceFlags() & 1).isZero();
    }
  }

  private static final Sampler RECORD_ONLY =
      new Sampler() {
        @Override
        public SamplingResult shouldSample(
            Context parent,
            String traceId,
            String name,
            SpanKind kind,
            Attributes attributes,
            List<LinkData> links) {
          return SamplingResult.recordOnly();
        }

        @Override
        public String getDescription() {
          return "record only";
        }
      };

  @Nested
  class Threads {
    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
      executor.shutdownNow();
    }

    @Test
    void task_withContextHandedOver_showsItAndThenNone() throws Exception {
      Span root = span("root");
      try (Scope scope = root.makeCurrent()) {
        boolean shown =
            executor
                .submit(Context.current().wrap(() -> record().shows(Span.current(), root)))
                .get();
        assertThat(shown).isTrue();
      }
      assertThat(executor.submit(() -> record().showsNoTrace()).get()).isTrue();
    }

    @Test
    void thread_whileAnotherSwitches_showsItsOwn() throws Exception {
      Span mine = span("mine");
      Span other = span("other");
      try (Scope scope = mine.makeCurrent()) {
        Scope open = executor.submit(() -> other.makeCurrent()).get();
        assertThat(record().shows(mine, mine)).isTrue();
        assertThat(executor.submit(() -> record().shows(other, other)).get()).isTrue();
        executor.submit(open::close).get();
        assertThat(executor.submit(() -> record().showsNoTrace()).get()).isTrue();
      }
    }

    @Test
    void scope_closedOnAnotherThread_leavesBothRight() throws Exception {
      Span root = span("root");
      Scope opened = root.makeCurrent();
      executor.submit(opened::close).get();
      assertThat(executor.submit(() -> record().showsNoTrace()).get()).isTrue();
      assertThat(record().shows(root, root)).isTrue();
      opened.close();
    }
  }

  @Nested
  class MisusedScopes {
    @Test
    void scopes_closedOutOfOrder_showWhatIsCurrent() {
      Span outer = span("outer");
      Span inner = span("inner");
      Scope outerScope = outer.makeCurrent();
      Scope innerScope = inner.makeCurrent();

      outerScope.close();
      assertShowsCurrent();
      innerScope.close();
      assertShowsCurrent();
      outerScope.close();
      assertShowsCurrent();
    }

    @Test
    void scope_closedTwice_showsWhatIsCurrent() {
      Span outer = span("outer");
      Span inner = span("inner");
      try (Scope outerScope = outer.makeCurrent()) {
        Scope innerScope = inner.makeCurrent();
        innerScope.close();
        innerScope.close();
        assertShowsCurrent();
        assertThat(record().shows(outer, outer)).isTrue();
      }
    }

    private void assertShowsCurrent() {
      Span current = Span.fromContextOrNull(Context.current());
      assertThat(current == null ? record().showsNoTrace() : record().shows(current, current))
          .isTrue();
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
