/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.otelprofiling.correlation.internal.localroot.LocalRootSpans;
import io.otelprofiling.correlation.internal.runtime.LocalRootSampler;
import io.otelprofiling.correlation.internal.runtime.LocalRootTracker;
import io.otelprofiling.correlation.testing.RecordingSpanProcessor;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DelayingSpanProcessorsTest {
  private static final long DELAY_NANOS = 1_000;

  private final AtomicLong clock = new AtomicLong();
  private final LocalRootSpans localRoots = new LocalRootSpans();
  private final SamplesDelay delay = new SamplesDelay();
  private final DelayingSpanProcessors processors = new DelayingSpanProcessors(delay);
  private final DelayingSpanProcessor processor =
      new DelayingSpanProcessor(
          new RecordingSpanProcessor(),
          localRoots,
          delay,
          new DelayingSpanProcessor.Scheduler() {
            @Override
            public void execute(Runnable task) {
              task.run();
            }

            @Override
            public void spanWaits() {}
          },
          100,
          "buffer.size",
          clock::get);
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder()
          .setSampler(new LocalRootSampler(Sampler.alwaysOn(), () -> true))
          .addSpanProcessor(processor)
          .addSpanProcessor(
              new LocalRootTracker(localRoots, null, () -> null, CompletableResultCode::ofSuccess))
          .build();

  @BeforeEach
  void start() {
    delay.activate(DELAY_NANOS);
    processors.add(processor);
    processors.start();
  }

  @AfterEach
  void end() {
    processor.end();
  }

  private void endSpans(int count) {
    for (int i = 0; i < count; i++) {
      provider.get("test").spanBuilder("root").startSpan().end();
    }
  }

  @Test
  void releaseDue_noSpans_returnsNothingDue() {
    assertThat(processors.releaseDue(clock.get())).isEqualTo(DelayingSpanProcessors.NOTHING_DUE);
  }

  @Test
  void releaseDue_fewSpans_returnsATenthOfAMillisecond() {
    endSpans(7);

    assertThat(processors.releaseDue(clock.get())).isEqualTo(100_000);
  }

  @Test
  void releaseDue_manySpans_returnsAMillisecondUntilFewCome() {
    endSpans(8);
    assertThat(processors.releaseDue(clock.get())).isEqualTo(1_000_000);

    endSpans(1);
    assertThat(processors.releaseDue(clock.get())).isEqualTo(100_000);
  }

  @Test
  void releaseDue_longDelay_returnsWhatIsLeftOfIt() {
    delay.activate(5_000_000);
    endSpans(8);
    clock.addAndGet(2_000_000);

    assertThat(processors.releaseDue(clock.get())).isEqualTo(3_000_000);
  }
}
