/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.LogCapturer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Promise: where a framework never makes its spans current, one line says what it needs. */
class NeverCurrentTest {
  private final CorrelatedSdk app = CorrelatedSdk.start();
  private final LogCapturer log = new LogCapturer();

  @AfterEach
  void stop() {
    log.close();
    app.close();
  }

  private void spans(int count, long millis) {
    for (int i = 0; i < count; i++) {
      Span span =
          app.tracer()
              .spanBuilder("never current")
              .setStartTimestamp(1, TimeUnit.SECONDS)
              .startSpan();
      span.end(1_000 + millis, TimeUnit.MILLISECONDS);
    }
  }

  @Test
  void spans_thatAreNeverCurrent_haveOneLineWithTheRemedies() {
    spans(100, 1);

    log.hasOneWarning("never current", "spring.reactor.context-propagation=auto");
  }

  @Test
  void spans_tooShortForASample_haveNoLine() {
    spans(100, 0);

    assertThat(log.warnings()).isEmpty();
  }

  @Test
  void spans_amongOthersThatAreCurrent_haveNoLine() {
    for (int i = 0; i < 5; i++) {
      spans(15, 1);
      Span root = app.span("request");
      try (Scope scope = app.child(root).makeCurrent()) {
        // Only a span below is current.
      }
      root.end();
    }

    assertThat(log.warnings()).isEmpty();
  }
}
