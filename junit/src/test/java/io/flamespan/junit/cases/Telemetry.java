/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests with an SDK of their own, which must not notice another one. */
class Telemetry {
  @RegisterExtension
  static final OpenTelemetryExtension TELEMETRY = OpenTelemetryExtension.create();

  @Test
  void spans_ofATest_areRootsOfTheirTraces() {
    assertSame(Context.root(), Context.current());
    assertFalse(Span.current().getSpanContext().isValid());
    for (String name : List.of("first", "second")) {
      Span span = TELEMETRY.getOpenTelemetry().getTracer("test").spanBuilder(name).startSpan();
      try (Scope scope = span.makeCurrent()) {
        burnsInASpan();
      }
      span.end();
    }

    List<SpanData> spans = TELEMETRY.getSpans();
    assertEquals(2, spans.size());
    assertFalse(spans.get(0).getParentSpanContext().isValid());
    assertNotEquals(spans.get(0).getTraceId(), spans.get(1).getTraceId());
  }

  private static void burnsInASpan() {
    Burn.cpu();
  }

  @Test
  void burnsAfterAReset() {
    GlobalOpenTelemetry.resetForTest();
    assertSame(Context.root(), Context.current());
    Burn.cpu();
  }
}
