/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.LogCapturer;
import io.opentelemetry.api.trace.Span;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Promise: with {@code socket.library=jnr}, the plug-in receives through jnr-unixsocket. */
class JnrTest {
  private static CorrelatedSdk start() {
    return CorrelatedSdk.start(CorrelatedSdk.PREFIX + "socket.library", "jnr");
  }

  @Test
  void messages_throughJnr_areOnTheSpan() {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = start()) {
      await().until(JnrTest::isJnrReceiving); // its thread has been started
      app.profiler().registration(500, "the-host");
      Span root = app.span("root");
      correlate(app, root, 3);
      root.end();
      app.flush();

      assertThat(app.receivedStackTraceIds(root)).hasSize(3);
      assertThat(log.warnings()).isEmpty();
    }
    assertThat(isJnrReceiving()).isFalse();
  }

  /** Each is sent before the flush, which may find it in the socket, on its way, or in memory. */
  @Test
  void burst_throughJnr_isCompleteAfterAFlush() {
    try (CorrelatedSdk app = start()) {
      for (int burst = 1; burst <= 20; burst++) {
        Span root = app.tracer().spanBuilder("root " + burst).startSpan();
        correlate(app, root, 320);
        root.end();
        app.flush();

        assertThat(app.receivedStackTraceIds(root)).hasSize(320);
      }
    }
  }

  private static void correlate(CorrelatedSdk app, Span span, int messages) {
    for (int i = 0; i < messages; i++) {
      app.profiler().correlation(span, 1);
    }
  }

  private static boolean isJnrReceiving() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(frame -> frame.getClassName().endsWith(".transport.JnrReceiver"));
  }
}
