/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.LogCapturer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Promise: where a framework does not make its spans current while it works for them, one line says
 * what it needs.
 */
class HardlyCurrentTest {
  private final CorrelatedSdk app = CorrelatedSdk.start();
  private final LogCapturer log = new LogCapturer();

  @AfterEach
  void stop() {
    log.close();
    app.close();
  }

  private Span start() {
    return app.tracer().spanBuilder("root").setStartTimestamp(1, TimeUnit.SECONDS).startSpan();
  }

  private static void end(Span span, long millis) {
    span.end(1_000 + millis, TimeUnit.MILLISECONDS);
  }

  private void spans(int count, long millis) {
    for (int i = 0; i < count; i++) {
      end(start(), millis);
    }
  }

  @Test
  void spans_thatAreNeverCurrent_haveOneLineWithTheRemedies() {
    spans(100, 1);

    log.hasOneWarning("hardly current", "spring.reactor.context-propagation=auto");
  }

  /** As Micrometer does for exemplars. */
  @Test
  void spans_thatAreCurrentJustBeforeTheyEnd_haveTheLine() {
    for (int i = 0; i < 100; i++) {
      Span span = start();
      try (Scope scope = span.makeCurrent()) {
        // A metric is recorded.
      }
      end(span, 3_600_000);
    }

    log.hasOneWarning("hardly current");
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
      Span root = start();
      try (Scope scope = app.child(root).makeCurrent()) { // only a span below is current
        long since = System.nanoTime();
        while (System.nanoTime() - since < 1_000_000) {
          Thread.onSpinWait();
        }
      }
      end(root, 1);
    }

    assertThat(log.warnings()).isEmpty();
  }
}
