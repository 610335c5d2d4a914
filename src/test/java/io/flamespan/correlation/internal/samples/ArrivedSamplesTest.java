/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.internal.localroot.LocalRootSampler;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.PlainTracker;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import org.junit.jupiter.api.Test;

/** Promise: samples reach the span that they are for, up to its limit, or are counted. */
class ArrivedSamplesTest {
  private final LocalRootSpans localRoots = new LocalRootSpans();
  private final ArrivedSamples samples = new ArrivedSamples(localRoots, 3);

  @Test
  void samples_aboveTheLimitOfTheirSpan_areCountedWithOneLine() {
    try (LogCapturer log = new LogCapturer();
        SdkTracerProvider sdk =
            SdkTracerProvider.builder()
                .setSampler(new LocalRootSampler(Sampler.alwaysOn(), () -> true))
                .addSpanProcessor(PlainTracker.of(localRoots))
                .build()) {
      Span span = sdk.get("test").spanBuilder("root").startSpan();
      LocalRoot root = localRoots.entryOf(span.getSpanContext());

      assertThat(add(root, 2)).isTrue();
      assertThat(add(root, 2)).isTrue();
      assertThat(add(root, 1)).isTrue();
      assertThat(samples.dropped()).isEqualTo(2);
      assertThat(log.warnings()).singleElement().asString().contains("max.stack.trace.ids");

      assertThat(root.freeze()).hasSize(3);
      assertThat(add(root, 1)).isFalse();
      assertThat(samples.dropped()).isEqualTo(2);
      span.end();
    }
  }

  private boolean add(LocalRoot root, int count) {
    return samples.add(root.traceIdHigh(), root.traceIdLow(), root.spanId(), 1, 2, count);
  }

  @Test
  void samples_ofAnUnknownSpan_areRefused() {
    assertThat(samples.add(1, 2, 3, 4, 5, 1)).isFalse();
    assertThat(samples.dropped()).isZero();
  }
}
