/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Promise: waits of a virtual thread that stays on its carrier are sampled from its begin on. */
@EnabledForJreRange(min = JRE.JAVA_21)
class PinnedWaitsTest {
  /** Shorter than the time between two collections. */
  private static final long MILLIS = 500;

  private static final long PERIOD = 10_000_000;

  /** Keeps the virtual thread that loads it on its carrier. */
  private static final class Pinned {
    private static long nanos;

    static {
      long begin = System.nanoTime();
      try {
        Thread.sleep(MILLIS);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      nanos = System.nanoTime() - begin;
    }
  }

  private static long waitInSpan(Span span) {
    try (Scope scope = span.makeCurrent()) {
      return Pinned.nanos;
    } finally {
      span.end();
    }
  }

  @Test
  void wait_thatPinsTheFirstThreadOfACarrier_isSampled() throws Exception {
    try (ProfiledSdk sdk =
        new ProfiledSdk(
            Map.of("embedded.profiler.events", "cpu,wall", "embedded.profiler.period", "10ms"))) {
      Span span = sdk.tracer().spanBuilder("pinned").startSpan();
      CompletableFuture<Long> waited = new CompletableFuture<>();
      Runnable request = () -> waited.complete(waitInSpan(span));
      Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, request);
      long nanos = waited.get();
      sdk.flush();

      long spanId = Long.parseUnsignedLong(span.getSpanContext().getSpanId(), 16);
      long sampled =
          sdk.sampled.stream()
              .filter(sample -> sample.kind == SampleKind.WALL)
              .filter(sample -> sample.work != null && sample.work.spanId == spanId)
              .mapToLong(sample -> sample.amount(PERIOD))
              .sum();
      assertThat(sampled).isBetween(nanos / 2, nanos + PERIOD);
    }
  }
}
