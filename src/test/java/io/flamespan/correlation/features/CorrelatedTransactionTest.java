/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.FakeProfiler.EXPORTED_STACK;
import static io.flamespan.correlation.testing.FakeProfiler.STACK;
import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import org.junit.jupiter.api.Test;

/** Promise: an exported transaction carries the stack trace ids of the profiler. */
class CorrelatedTransactionTest {
  private static final String ANOTHER_STACK = "4c9326bb9805fa8f85882c12eae724ce";
  private static final String EXPORTED_ANOTHER = "TJMmu5gF-o-FiCwS6uckzg";

  @Test
  void transaction_workedExampleOfTheProtocol_carriesStackTraces() {
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      Span transaction = app.span("transaction");
      String traceId = transaction.getSpanContext().getTraceId();
      String spanId = transaction.getSpanContext().getSpanId();

      app.profiler().correlation(traceId, spanId, STACK, 2);
      app.profiler().send(new byte[] {99, 0, 1, 0, 5});
      app.profiler().correlation(traceId, spanId, ANOTHER_STACK, 1);
      transaction.end();
      app.profiler().correlation(traceId, spanId, STACK, 1);
      app.flush();

      assertThat(app.receivedStackTraceIds(transaction))
          .containsExactlyInAnyOrder(
              EXPORTED_STACK, EXPORTED_STACK, EXPORTED_ANOTHER, EXPORTED_STACK);
    }
  }

  @Test
  void endedTransaction_afterRegistration_waitsForTheDelay() {
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      app.profiler().registration(3_000, "");
      Span root = app.span("root");
      app.flush();
      long ended = System.nanoTime();
      try (Scope scope = root.makeCurrent()) {
        root.end();
      }
      app.profiler()
          .correlation(
              root.getSpanContext().getTraceId(),
              root.getSpanContext().getSpanId(),
              ANOTHER_STACK,
              1);

      await().until(() -> !app.received(root).isEmpty());
      assertThat(System.nanoTime() - ended).isGreaterThan(2_900_000_000L);
      assertThat(app.receivedStackTraceIds(root)).containsExactly(EXPORTED_ANOTHER);
    }
  }

  @Test
  void count_above32767_isUnsigned() {
    try (CorrelatedSdk app =
        CorrelatedSdk.start(CorrelatedSdk.PREFIX + "max.stack.trace.ids", "40000")) {
      Span root = app.span("root");
      app.profiler().correlation(root, 40_000);
      root.end();
      app.flush();

      assertThat(app.receivedStackTraceIds(root)).hasSize(40_000).containsOnly(EXPORTED_STACK);
    }
  }
}
