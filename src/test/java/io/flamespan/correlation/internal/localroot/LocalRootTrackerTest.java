/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingSpanProcessor;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import org.junit.jupiter.api.Test;

class LocalRootTrackerTest {
  @Test
  void twoProblems_ofTheFirstSpan_areBothReportedOnce() {
    LocalRootTracker tracker =
        new LocalRootTracker(
            new LocalRootSpans(),
            null,
            () -> "the context storage is another one",
            wanted -> {},
            () -> {});
    try (LogCapturer log = new LogCapturer();
        SdkTracerProvider withoutOurSampler =
            SdkTracerProvider.builder().addSpanProcessor(tracker).build()) {
      for (int i = 0; i < 3; i++) {
        withoutOurSampler.get("test").spanBuilder("root").startSpan().end();
      }

      assertThat(log.warnings())
          .hasSize(2)
          .anyMatch(line -> line.contains("the context storage is another one"))
          .anyMatch(line -> line.contains("addSamplerCustomizer"));
    }
  }

  @Test
  void errors_ofEveryStep_reachNeitherTheSdkNorItsSpans() {
    Runnable failing =
        () -> {
          throw new OutOfMemoryError("requested by the test");
        };
    LocalRootTracker tracker =
        new LocalRootTracker(new LocalRootSpans(), null, () -> null, wanted -> {}, failing);
    tracker.onChange(failing);
    RecordingSpanProcessor next = new RecordingSpanProcessor();
    next.shutdownResult.succeed();
    try (LogCapturer log = new LogCapturer();
        SdkTracerProvider sdk =
            SdkTracerProvider.builder().addSpanProcessor(tracker).addSpanProcessor(next).build()) {
      sdk.get("test").spanBuilder("root").startSpan().end();
      sdk.get("test").spanBuilder("root").startSpan().end();

      assertThat(next.ended).hasSize(2);
      assertThat(tracker.isInUse()).isTrue();
      assertThat(log.warnings()).hasSize(2); // with the one about the sampler
    }
  }
}
