/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.FakeProfiler.STACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingMetricReader;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Promise: unusual but valid messages are handled as the README says. */
class MessagesTest {
  @Test
  void correlation_ofUnknownSpan_isCountedAndNotLogged() {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = CorrelatedSdk.start()) {
      Span root = app.span("root");
      String traceId = root.getSpanContext().getTraceId();
      app.profiler().correlation(traceId, "00000000000000ff", STACK, 1);
      app.profiler().correlation("ab".repeat(16), root.getSpanContext().getSpanId(), STACK, 1);
      root.end();
      app.flush();
      app.profiler().correlation(traceId, root.getSpanContext().getSpanId(), STACK, 1);
      app.flush();

      assertThat(app.receivedStackTraceIds(root)).isEmpty();
      assertThat(log.warnings()).isEmpty();
      app.close();
      assertThat(log.messages(Level.FINE))
          .contains("Flamespan ends: 0 invalid messages, 3 for unknown local root spans");
    }
  }

  @Test
  void stackTraceIds_beyondTheLimit_areCountedAndReportedOnce() {
    RecordingMetricReader reader = new RecordingMetricReader();
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app =
            CorrelatedSdk.startWith(reader, CorrelatedSdk.PREFIX + "max.stack.trace.ids", "1000")) {
      Span root = app.span("root");
      Span other = app.tracer().spanBuilder("other").setNoParent().startSpan();
      for (Span span : List.of(root, other, root)) {
        app.profiler().correlation(span, 700);
      }
      root.end();
      other.end();
      app.flush();

      assertThat(app.receivedStackTraceIds(root)).hasSize(1_000);
      assertThat(app.receivedStackTraceIds(other)).hasSize(700);
      log.hasOneWarning("1000", CorrelatedSdk.PREFIX + "max.stack.trace.ids");
      assertThat(reader.collect("profiling.correlation.stack_trace_ids.dropped"))
          .flatExtracting(metric -> metric.getLongSumData().getPoints())
          .extracting(LongPointData::getValue)
          .containsExactly(400L);
    }
  }

  @Test
  void samplesDelay_aboveAMinute_isAMinuteWithOneWarning() {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = CorrelatedSdk.start()) {
      app.profiler().registration(0xffffffffL, "");
      app.profiler().registration(60_001, "");
      app.profiler().registration(60_000, "");
      app.flush();

      log.hasOneWarning("4294967295 ms", "60000 ms at most");
    }
  }
}
