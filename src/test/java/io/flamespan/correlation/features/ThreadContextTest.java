/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.ShownRecord;
import io.flamespan.correlation.testing.ShownThreadContext;
import io.flamespan.correlation.testing.ThreadKind;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: each thread's OpenTelemetry thread context is that of its current span, or none. */
class ThreadContextTest {
  private static final String PREFIX = CorrelatedSdk.PREFIX + "thread.context.";

  private static ShownThreadContext shown() {
    return ShownThreadContext.ofCurrentCarrier();
  }

  private static Span span(CorrelatedSdk app, String name) {
    return app.span(name);
  }

  @ParameterizedTest
  @EnumSource(ThreadKind.class)
  void currentSpan_ofEachThread_isShown(ThreadKind kind) throws Exception {
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      kind.run(
          () -> {
            Span root = span(app, "root");
            try (Scope scope = root.makeCurrent()) {
              assertThat(shown().shows(root)).isTrue();
              Span child = span(app, "child");
              try (Scope childScope = child.makeCurrent()) {
                assertThat(shown().shows(child)).isTrue();
                assertThat(shown().attributes()).isEmpty();
              }
              assertThat(shown().shows(root)).isTrue();
            }
            assertThat(shown()).isNull();
          });
    }
  }

  @ParameterizedTest
  @EnumSource(ThreadKind.class)
  void droppedSpan_current_isShownAsUnsampled(ThreadKind kind) throws Exception {
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      kind.run(
          () -> {
            Span root = span(app, "root");
            Span dropped = dropped();
            try (Scope scope = root.makeCurrent()) {
              try (Scope droppedScope = dropped.makeCurrent()) {
                assertShowsOnlyThreadContext(dropped);
                try (Scope inner = root.makeCurrent()) {
                  assertThat(shown().shows(root)).isTrue();
                }
                assertShowsOnlyThreadContext(dropped);
                Context other = Context.current().with(Baggage.empty());
                try (Scope inner = other.makeCurrent()) {
                  assertShowsOnlyThreadContext(dropped);
                }
              }
              assertThat(ShownRecord.shows(root, root)).isTrue();
            }
            try (Scope scope = dropped.makeCurrent()) {
              assertShowsOnlyThreadContext(dropped);
            }
            assertThat(shown()).isNull();
          });
    }
  }

  /** Returns a local span context as produced by a sampler that drops the span. */
  private static Span dropped() {
    return Span.wrap(
        SpanContext.create(
            "0af7651916cd43dd8448eb211c80319c",
            "b7ad6b7169203331",
            TraceFlags.getDefault(),
            TraceState.getDefault()));
  }

  private static void assertShowsOnlyThreadContext(Span span) {
    assertThat(ShownRecord.showsNoTrace()).isTrue();
    assertThat(shown()).isNotNull();
    assertThat(shown().shows(span)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(ThreadKind.class)
  void attributes_wanted_areThoseOfTheCurrentSpan(ThreadKind kind) throws Exception {
    try (CorrelatedSdk app =
        CorrelatedSdk.start(
            PREFIX + "local.root.enabled", "true", PREFIX + "attributes", "http.route, tenant")) {
      kind.run(
          () -> {
            Span root = span(app, "root").setAttribute("http.route", "/a");
            String rootId = root.getSpanContext().getSpanId();
            try (Scope scope = root.makeCurrent()) {
              assertThat(shown().attributes()).isEqualTo(Map.of(0, rootId, 1, "/a"));
              Span child = span(app, "child").setAttribute("http.route", "/b");
              Baggage baggage = Baggage.builder().put("tenant", "south").build();
              try (Scope childScope = Context.current().with(child).with(baggage).makeCurrent()) {
                assertThat(shown().attributes()).isEqualTo(Map.of(0, rootId, 1, "/b", 2, "south"));
              }
              assertThat(shown().attributes()).isEqualTo(Map.of(0, rootId, 1, "/a"));
              assertThat(shown().shows(root)).isTrue();
            }
            assertThat(shown()).isNull();
          });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"thread.context.enabled", "process.context.enabled"})
  void threads_threadContextOff_haveNoRecord(String setting) throws Exception {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = CorrelatedSdk.start(CorrelatedSdk.PREFIX + setting, "false")) {
      ThreadKind.PLATFORM.run(
          () -> {
            Span root = span(app, "root");
            try (Scope scope = root.makeCurrent()) {
              assertThat(ShownThreadContext.hasRecord()).isFalse();
            }
          });
      assertThat(log.warnings()).isEmpty();
    }
  }

  @Test
  void threadContext_withoutProcessContext_staysOffAndWarns() {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app =
            CorrelatedSdk.start(
                PREFIX + "enabled",
                "true",
                CorrelatedSdk.PREFIX + "process.context.enabled",
                "false")) {
      log.hasOneWarning(CorrelatedSdk.PREFIX + "process.context.enabled");
    }
  }
}
