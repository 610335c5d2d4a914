/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.EmbeddedApps.profiler;
import static io.flamespan.correlation.testing.EmbeddedApps.run;
import static io.flamespan.correlation.testing.FakeProfiler.EXPORTED_STACK;
import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.EmbeddedApps;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Promise: a span waits for the samples that an embedded profiler took in it, and others do not.
 */
class SpansWaitForSamplesTest {
  @AutoClose private final EmbeddedApps apps = new EmbeddedApps();

  @Test
  void span_withASample_waitsForItAndOthersDoNot() {
    try (CorrelatedSdk app = apps.start()) {
      Span sampled = run(app, "sampled", () -> profiler().sample());
      Span other = run(app, "other", () -> {});

      await().until(() -> !app.received(other).isEmpty());
      assertThat(app.received(sampled)).isEmpty();
      profiler().collect();
      Span later = run(app, "later", () -> profiler().sample());
      await().until(() -> !app.received(sampled).isEmpty());
      assertThat(app.received(later)).isEmpty();
      assertThat(app.receivedStackTraceIds(sampled)).containsExactly(EXPORTED_STACK);
      assertThat(app.receivedStackTraceIds(other)).isEmpty();
    }
  }

  @Test
  void span_thatEndsWithinItsScope_waitsForItsSample() {
    try (CorrelatedSdk app = apps.start()) {
      Span span = app.span("root");
      try (Scope scope = span.makeCurrent()) {
        profiler().sample();
        span.end();
      }
      app.flush();

      assertThat(app.receivedStackTraceIds(span)).containsExactly(EXPORTED_STACK);
    }
  }

  @Test
  void span_thatEndsOnAnotherThread_waitsForItsSamples() {
    try (CorrelatedSdk app = apps.start()) {
      Span span = app.span("root");
      apps.onOtherThread(
          () -> {
            try (Scope scope = span.makeCurrent()) {
              profiler().sample();
            }
            return null;
          });
      Span child = app.child(span);
      try (Scope scope = child.makeCurrent()) {
        profiler().sample();
      }
      child.end();
      span.end();
      app.flush();

      assertThat(app.receivedStackTraceIds(span)).hasSize(2);
    }
  }

  @Test
  void shutdown_ofTheSdk_exportsSpansWithTheirSamples() {
    Span[] spans = new Span[20];
    CorrelatedSdk app = apps.start();
    try {
      for (int i = 0; i < spans.length; i++) {
        spans[i] = run(app, "root", () -> profiler().sample());
      }
      app.sdk().close();

      assertThat(profiler().stopped).isTrue();
      for (Span span : spans) {
        assertThat(app.receivedStackTraceIds(span)).containsExactly(EXPORTED_STACK);
      }
    } finally {
      app.close();
    }
  }
}
