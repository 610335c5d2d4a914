/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.delay.DelayingSpanProcessor;
import io.flamespan.correlation.internal.delay.SamplesDelay;
import io.flamespan.correlation.internal.delay.SharedState;
import io.flamespan.correlation.internal.delay.SpanProcessors;
import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.internal.localroot.LocalRootSampler;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.wrapping.SampleReport;
import io.flamespan.correlation.testing.PlainTracker;
import io.flamespan.correlation.testing.RecordingSpanProcessor;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Accepted samples are on the span; refused ones are not. */
class SampleAgainstFreezeTest {
  private static final int ROUNDS = 300;
  private static final int MAX_IDS = 100_000;

  private final LocalRootSpans localRoots = new LocalRootSpans();
  private final RecordingSpanProcessor downstream = new RecordingSpanProcessor();
  private final SamplesDelay delay = new SamplesDelay();
  private final DelayingSpanProcessor processor =
      new SpanProcessors(
              new SharedState(localRoots, delay, again -> {}, new SampleReport(null, null), 10))
          .started(downstream);
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder()
          .setSampler(new LocalRootSampler(Sampler.alwaysOn(), () -> true))
          .addSpanProcessor(processor)
          .addSpanProcessor(PlainTracker.of(localRoots))
          .build();

  @Test
  void samples_accepted_areThoseOnTheSpan() throws Exception {
    delay.activate(0);
    ExecutorService receiver = Executors.newSingleThreadExecutor();
    for (int round = 0; round < ROUNDS; round++) {
      Span span = provider.get("test").spanBuilder("root").startSpan();
      LocalRoot root = localRoots.entryOf(span.getSpanContext());
      Future<Integer> accepted =
          receiver.submit(
              () -> {
                int count = 0;
                while (count < MAX_IDS && root.add(1, count % 3, 1, MAX_IDS) > 0) {
                  count++;
                }
                return count;
              });
      while (root.samples() == 0) {
        Thread.onSpinWait();
      }
      span.end();
      processor.forceFlush(); // rather than up to ten milliseconds later
      while (downstream.ended.isEmpty()) {
        Thread.onSpinWait();
      }
      int expected = accepted.get();
      List<String> ids =
          downstream
              .ended
              .get(0)
              .getAttribute(AttributeKey.stringArrayKey("elastic.profiler_stack_trace_ids"));
      assertThat(ids == null ? 0 : ids.size()).as("round %d", round).isEqualTo(expected);
      downstream.ended.clear();
    }
    receiver.shutdown();
  }
}
